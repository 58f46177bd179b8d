"""The review queue: what the ledger's entries add up to for people, and how it comes about."""
