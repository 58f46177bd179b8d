-- What answers are known to hold for other lines of the same template. Rows here change.

-- `key` stands for a template under one configuration. `sharing` is among which lines the answer of
-- entry `ticket` is shared; `says` is equal for equal answers; `place` and `slots` are JSON: where
-- the evidence stands, and what is proved about the template's numbers.
CREATE TABLE template (
    key     BLOB PRIMARY KEY CHECK (length(key) = 16),
    sharing TEXT NOT NULL,
    ticket  INTEGER NOT NULL,
    says    BLOB NOT NULL CHECK (length(says) = 16),
    place   TEXT NOT NULL,
    slots   TEXT NOT NULL
) WITHOUT ROWID;
