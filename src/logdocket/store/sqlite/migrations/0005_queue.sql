-- The review queue: what the ledger's entries add up to for people. All of it follows from the
-- entries and can be made anew from them; rows here change.

-- `upto` is the last entry that the tables below tell of; `version` is that of the grouping.
CREATE TABLE queue_state (
    id      INTEGER PRIMARY KEY CHECK (id = 1),
    upto    INTEGER NOT NULL,
    version INTEGER NOT NULL
);

-- One row for each group of tickets that one decision is about. `severity` is a rank, 0 to 3.
-- `first_moment` and `last_moment` are the lines' own times in µs since 1970, beside the text that
-- says them. `from_model`, `from_cache`, `from_fallback` add up to `count`. `base` is the count at
-- the last decision. `decided` is the entry that last decided, or that a second look made. `changed`
-- is the last entry that changed the row.
CREATE TABLE queue_group (
    id            INTEGER PRIMARY KEY,
    key           BLOB NOT NULL UNIQUE CHECK (length(key) = 16),
    state         TEXT NOT NULL,
    service       TEXT NOT NULL,
    severity      INTEGER NOT NULL,
    template      TEXT NOT NULL,
    evidence      TEXT NOT NULL,
    ticket        INTEGER NOT NULL,
    reasons       TEXT NOT NULL,
    all_reasons   TEXT NOT NULL,
    count         INTEGER NOT NULL,
    base          INTEGER NOT NULL DEFAULT 0,
    from_model    INTEGER NOT NULL DEFAULT 0,
    from_cache    INTEGER NOT NULL DEFAULT 0,
    from_fallback INTEGER NOT NULL DEFAULT 0,
    first_at      INTEGER NOT NULL,
    last_at       INTEGER NOT NULL,
    first_moment  INTEGER,
    first_seen    TEXT NOT NULL,
    last_moment   INTEGER,
    last_seen     TEXT NOT NULL,
    decided       INTEGER NOT NULL DEFAULT 0,
    verdict       TEXT,
    decided_by    TEXT,
    decided_at    INTEGER,
    reopened      INTEGER NOT NULL DEFAULT 0,
    until         INTEGER,
    waiting       INTEGER NOT NULL DEFAULT 0,
    changed       INTEGER NOT NULL
);

CREATE INDEX queue_by_severity ON queue_group (state, severity DESC, last_at DESC, id DESC);
CREATE INDEX queue_by_last ON queue_group (state, last_at DESC, id DESC);
CREATE INDEX queue_by_first ON queue_group (state, first_at, id);
CREATE INDEX queue_by_count ON queue_group (state, count DESC, id DESC);
CREATE INDEX queue_by_change ON queue_group (changed);
CREATE INDEX queue_asleep ON queue_group (until) WHERE state = 'snoozed';

-- Which group a ticket with a body belongs to. `waits` is 1 while nobody has decided about it.
-- `fault` is the rank of its severity while a model may be asked about it once more, else null;
-- `looks` is how often that was done, `latest` the newest ticket that stands for it.
CREATE TABLE queue_ticket (
    seq    INTEGER PRIMARY KEY,
    grp    INTEGER NOT NULL,
    waits  INTEGER NOT NULL,
    fault  INTEGER,
    looks  INTEGER NOT NULL DEFAULT 0,
    latest INTEGER NOT NULL
);

CREATE INDEX queue_ticket_group ON queue_ticket (grp, seq);
CREATE INDEX queue_ticket_fault ON queue_ticket (fault DESC, seq) WHERE fault IS NOT NULL;

-- The verdicts about each group; `was` and `was_base` are what an undoing leads back to.
CREATE TABLE queue_verdict (
    seq         INTEGER PRIMARY KEY,
    grp         INTEGER NOT NULL,
    was         TEXT NOT NULL,
    was_base    INTEGER NOT NULL,
    was_decided INTEGER NOT NULL,
    undone_by   INTEGER
);

CREATE INDEX queue_verdict_group ON queue_verdict (grp, seq);

-- What verdicts that stand say of other lines: by `key`, which stands for a template, or for one
-- line (the first 16 bytes of its hash).
CREATE TABLE queue_lesson (
    key     BLOB PRIMARY KEY CHECK (length(key) = 16),
    verdict INTEGER NOT NULL
) WITHOUT ROWID;

-- Tickets by day (UTC, days since 1970) and source.
CREATE TABLE queue_day (
    day     INTEGER NOT NULL,
    source  TEXT NOT NULL,
    tickets INTEGER NOT NULL,
    PRIMARY KEY (day, source)
) WITHOUT ROWID;
