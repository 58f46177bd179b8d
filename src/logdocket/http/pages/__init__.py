"""The pages that people read and decide on."""
