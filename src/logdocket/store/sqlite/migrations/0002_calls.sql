-- What the chain's entries of model calls add up to, so that nobody has to walk the chain for it.
-- Rows here change; verification holds every one of them against the entries.

-- One row for each call, under the number of the entry that started it. `at` and `expires` are µs
-- since 1970 UTC. `status` is null while the call is open, `interrupted` if it was found so after
-- `expires`, else how it finished. Tokens and price are what the provider reported, or null; the
-- charge is what the budget was charged. `ticket` is the entry of the ticket it was made for.
CREATE TABLE call (
    seq               INTEGER PRIMARY KEY,
    at                INTEGER NOT NULL,
    expires           INTEGER NOT NULL,
    model             TEXT NOT NULL,
    attempt           INTEGER NOT NULL,
    reserved_tokens   INTEGER NOT NULL,
    reserved_nano_usd INTEGER NOT NULL,
    status            TEXT,
    tokens_in         INTEGER,
    tokens_out        INTEGER,
    nano_usd          INTEGER,
    charged_tokens    INTEGER NOT NULL,
    charged_nano_usd  INTEGER NOT NULL,
    ticket            INTEGER
);

CREATE INDEX call_at ON call (at);

CREATE INDEX call_open ON call (expires) WHERE status IS NULL;

-- Who is asking a model about a key; others wait until it is gone or has expired.
CREATE TABLE claim (
    key     BLOB PRIMARY KEY CHECK (length(key) = 16),
    holder  BLOB NOT NULL CHECK (length(holder) = 16),
    expires INTEGER NOT NULL
) WITHOUT ROWID;

-- What the calls started on a day (UTC, days since 1970) were charged, and what those of them that
-- are still open have reserved.
CREATE TABLE spend (
    day               INTEGER PRIMARY KEY,
    tokens            INTEGER NOT NULL,
    nano_usd          INTEGER NOT NULL,
    reserved_tokens   INTEGER NOT NULL,
    reserved_nano_usd INTEGER NOT NULL
);

-- Costs nothing where entries are tickets, and finds the others.
CREATE INDEX entry_other ON entry (kind) WHERE kind <> 'ticket';
