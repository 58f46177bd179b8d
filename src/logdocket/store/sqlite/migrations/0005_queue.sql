-- The review queue: what the ledger's entries add up to for people. All of it follows from the
-- entries and is made anew from them where tickets are grouped in another way; rows here change.
-- What a line or a person says stands as UTF-8 bytes: it need not be text, and may hold a zero.

-- `upto` is the last entry that the tables below tell of, `version` that of the grouping. `woken` is
-- how many snoozed groups have come back so far.
CREATE TABLE queue_state (
    id      INTEGER PRIMARY KEY CHECK (id = 1),
    upto    INTEGER NOT NULL,
    version INTEGER NOT NULL,
    woken   INTEGER NOT NULL
);

-- One row for each group of tickets that one decision is about, under the number of its first
-- ticket's entry: what is looked for first, long texts last. `severity` is a rank, 0 to 3.
-- `from_model`, `from_cache`, `from_fallback` add up to `count`; `base` is the count at the last
-- decision. `fresh` is the last entry of a ticket that no verdict answered. `version` is the entry
-- that last decided, or that a second look made; `standing` the last verdict that nobody took back,
-- 0 for none, and `settled` the last entry up to which tickets are decided. `changed` is the last
-- entry that changed the row, plus how many groups had been woken by then. `ticket` is the newest
-- that needs a person. `first_moment` and `last_moment` are the lines' own times in µs since 1970,
-- beside what says them.
CREATE TABLE queue_group (
    id            INTEGER PRIMARY KEY,
    key           BLOB NOT NULL UNIQUE CHECK (length(key) = 16),
    state         TEXT NOT NULL,
    severity      INTEGER NOT NULL,
    service       BLOB NOT NULL,
    all_reasons   TEXT NOT NULL,
    count         INTEGER NOT NULL,
    base          INTEGER NOT NULL,
    from_model    INTEGER NOT NULL,
    from_cache    INTEGER NOT NULL,
    from_fallback INTEGER NOT NULL,
    first_at      INTEGER NOT NULL,
    last_at       INTEGER NOT NULL,
    fresh         INTEGER NOT NULL,
    version       INTEGER NOT NULL,
    standing      INTEGER NOT NULL,
    settled       INTEGER NOT NULL,
    verdict       TEXT,
    decided_by    BLOB,
    decided_at    INTEGER,
    reopened      INTEGER NOT NULL,
    until         INTEGER,
    waiting       INTEGER NOT NULL,
    changed       INTEGER NOT NULL,
    ticket        INTEGER NOT NULL,
    reasons       TEXT NOT NULL,
    first_moment  INTEGER,
    first_seen    BLOB NOT NULL,
    last_moment   INTEGER,
    last_seen     BLOB NOT NULL,
    template      BLOB NOT NULL,
    evidence      BLOB NOT NULL
);

-- Service, evidence and template of each group without regard to case: narrow, to be read whole.
CREATE TABLE queue_search (
    grp  INTEGER PRIMARY KEY,
    text BLOB NOT NULL
);

CREATE INDEX queue_by_severity ON queue_group (state, severity DESC, last_at DESC, id DESC);

CREATE INDEX queue_by_last ON queue_group (state, last_at DESC, id DESC);

CREATE INDEX queue_by_first ON queue_group (state, first_at, id);

CREATE INDEX queue_by_count ON queue_group (state, count DESC, id DESC);

CREATE INDEX queue_by_change ON queue_group (changed);

CREATE INDEX queue_asleep ON queue_group (until) WHERE state = 'snoozed';

-- Which group a ticket with a body belongs to. `done` is 1 where it needs no decision of its own: a
-- verdict answered it, or a second look did. `fault` is the rank of its severity while a model may
-- be asked about it once more, 4 less where its line was not kept, else null; `looks` is how often
-- that was done, `latest` the newest ticket that stands for it.
CREATE TABLE queue_ticket (
    seq    INTEGER PRIMARY KEY,
    grp    INTEGER NOT NULL,
    done   INTEGER NOT NULL,
    fault  INTEGER,
    looks  INTEGER NOT NULL,
    latest INTEGER NOT NULL
);

CREATE INDEX queue_ticket_group ON queue_ticket (grp, seq);

CREATE INDEX queue_ticket_fault ON queue_ticket (fault DESC, seq, grp, looks)
WHERE fault IS NOT NULL;

-- The verdicts about each group (0 where it is in none), and what an undoing leads back to.
CREATE TABLE queue_verdict (
    seq          INTEGER PRIMARY KEY,
    grp          INTEGER NOT NULL,
    was          TEXT NOT NULL,
    was_until    INTEGER,
    was_reopened INTEGER NOT NULL,
    was_base     INTEGER NOT NULL,
    was_standing INTEGER NOT NULL,
    was_settled  INTEGER NOT NULL,
    undone_by    INTEGER
);

CREATE INDEX queue_verdict_group ON queue_verdict (grp, seq);

-- Tickets by day (UTC, days since 1970) and source.
CREATE TABLE queue_day (
    day     INTEGER NOT NULL,
    source  TEXT NOT NULL,
    tickets INTEGER NOT NULL,
    PRIMARY KEY (day, source)
) WITHOUT ROWID;
