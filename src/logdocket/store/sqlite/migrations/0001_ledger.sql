-- The ledger: one row per answer, chained by hash, numbered from 1 without a gap.
-- `at` is µs since 1970 UTC. `reasons` are words joined by commas. `detail` is canonical JSON.
CREATE TABLE entry (
    seq     INTEGER PRIMARY KEY CHECK (seq > 0),
    at      INTEGER NOT NULL,
    kind    TEXT NOT NULL,
    source  TEXT,
    reasons TEXT NOT NULL,
    detail  TEXT NOT NULL,
    hash    BLOB NOT NULL CHECK (length(hash) = 32)
);

CREATE INDEX entry_at ON entry (at);

CREATE INDEX entry_source ON entry (source);

-- Costs nothing where entries are tickets, and finds the few that are not.
CREATE INDEX entry_gap ON entry (at) WHERE kind = 'gap';

-- The answers themselves: one row for each entry that is no cache hit, under the entry's number.
CREATE TABLE ticket (
    seq  INTEGER PRIMARY KEY,
    key  BLOB NOT NULL CHECK (length(key) = 16),
    body BLOB NOT NULL,
    text BLOB
);

CREATE INDEX ticket_key ON ticket (key);

-- What is entered stays. Only a line's text may be erased, never changed.
CREATE TRIGGER entry_update BEFORE UPDATE ON entry
BEGIN
    SELECT RAISE(ABORT, 'the ledger is append-only');
END;

CREATE TRIGGER entry_delete BEFORE DELETE ON entry
BEGIN
    SELECT RAISE(ABORT, 'the ledger is append-only');
END;

CREATE TRIGGER ticket_update BEFORE UPDATE OF seq, key, body ON ticket
BEGIN
    SELECT RAISE(ABORT, 'the ledger is append-only');
END;

CREATE TRIGGER ticket_text BEFORE UPDATE OF text ON ticket WHEN NEW.text IS NOT NULL
BEGIN
    SELECT RAISE(ABORT, 'the text of a ticket can only be erased');
END;

CREATE TRIGGER ticket_delete BEFORE DELETE ON ticket
BEGIN
    SELECT RAISE(ABORT, 'the ledger is append-only');
END;
