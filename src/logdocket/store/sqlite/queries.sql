-- Every statement that the store runs, by name. A name ends where the next begins.

-- name: identity
-- What kind of database the file is. No row count is needed, only whether there is anything.
SELECT application_id, user_version, (SELECT count(*) FROM sqlite_master)
FROM pragma_application_id, pragma_user_version

-- name: head
-- The last entry, the hash of the entry where this process last saw the head, and the schema.
-- One row even when there is no entry.
SELECT last.seq, last.hash, (SELECT hash FROM entry WHERE seq = ?1), user_version
FROM pragma_user_version
LEFT JOIN (SELECT seq, hash FROM entry ORDER BY seq DESC LIMIT 1) AS last

-- name: size
-- How many bytes the file has when all that stands in the log has come into it.
SELECT page_count * page_size FROM pragma_page_count, pragma_page_size

-- name: hash_at
SELECT hash FROM entry WHERE seq = ?1

-- name: insert_entry
-- As many rows of seven values as stand behind it.
INSERT INTO entry (seq, at, kind, source, reasons, detail, hash) VALUES

-- name: insert_ticket
-- As many rows of three values as stand behind it.
INSERT INTO ticket (seq, key, body) VALUES

-- name: insert_ticket_and_text
-- As many rows of four values as stand behind it.
INSERT INTO ticket (seq, key, body, text) VALUES

-- name: put_call
-- As many rows of fourteen values as stand behind it; each takes the place of the one before.
REPLACE INTO call (
    seq, at, expires, model, attempt, reserved_tokens, reserved_nano_usd, status, tokens_in,
    tokens_out, nano_usd, charged_tokens, charged_nano_usd, ticket
) VALUES

-- name: put_claim
-- As many rows of three values as stand behind it.
REPLACE INTO claim (key, holder, expires) VALUES

-- name: put_spend
-- As many rows of five values as stand behind it.
REPLACE INTO spend (day, tokens, nano_usd, reserved_tokens, reserved_nano_usd) VALUES

-- name: templates
-- What is known about each template of the list that stands in place of the stars.
SELECT key, sharing, ticket, says, place, slots FROM template WHERE key IN (***)

-- name: put_template
-- As many rows of six values as stand behind it; each takes the place of the one before.
REPLACE INTO template (key, sharing, ticket, says, place, slots) VALUES

-- name: orphaned_template
-- The ticket of the first template that is no answer of a model.
SELECT min(ticket) FROM template WHERE NOT EXISTS (
    SELECT 1 FROM entry WHERE seq = template.ticket AND kind = 'ticket' AND source = 'model'
)

-- name: drop_claims
DELETE FROM claim WHERE key IN (***)

-- name: drop_expired_claims
DELETE FROM claim WHERE expires <= ?1

-- name: claims
SELECT key, holder, expires FROM claim WHERE key IN (***)

-- name: calls
SELECT seq, at, expires, model, attempt, reserved_tokens, reserved_nano_usd, status, tokens_in,
    tokens_out, nano_usd, charged_tokens, charged_nano_usd, ticket
FROM call WHERE seq IN (***)

-- name: expired_calls
SELECT seq, at, expires, model, attempt, reserved_tokens, reserved_nano_usd, status, tokens_in,
    tokens_out, nano_usd, charged_tokens, charged_nano_usd, ticket
FROM call INDEXED BY call_open WHERE status IS NULL AND expires <= ?1 ORDER BY seq

-- name: next_to_expire
-- When the first of the open calls expires; null where none is open.
SELECT min(expires) FROM call INDEXED BY call_open WHERE status IS NULL

-- name: spend
SELECT day, tokens, nano_usd, reserved_tokens, reserved_nano_usd FROM spend WHERE day IN (***)

-- name: newest_by_key
-- The newest ticket under each key of the rows that stand in place of the stars, and what proves it:
-- its entry, and the hash before. Under one beginning of a key the index has the newest last.
WITH wanted (key) AS (VALUES ***)
SELECT t.seq, e.at, e.kind, e.source, e.reasons, e.detail, e.hash,
    (SELECT hash FROM entry WHERE seq = t.seq - 1), t.key, t.body, t.text
FROM wanted
CROSS JOIN ticket AS t ON t.seq = (
    SELECT known.seq FROM ticket AS known
    WHERE substr(known.key, 1, 4) = substr(wanted.key, 1, 4) AND known.key = wanted.key
    ORDER BY known.seq DESC LIMIT 1
)
JOIN entry AS e ON e.seq = t.seq

-- name: ticket
SELECT t.seq, e.at, e.kind, e.source, e.reasons, e.detail, e.hash,
    (SELECT hash FROM entry WHERE seq = t.seq - 1), t.key, t.body, t.text
FROM ticket AS t JOIN entry AS e ON e.seq = t.seq
WHERE t.seq = ?1

-- name: entry
SELECT seq, at, kind, source, reasons, detail, hash FROM entry WHERE seq = ?1

-- name: page
-- A page of entries, newest first; the conditions stand in place of the stars.
SELECT seq, at, kind, source, reasons, detail, hash FROM entry
WHERE *** ORDER BY seq DESC LIMIT ?

-- name: page_of_period
-- The same for a period: the index finds the numbers, and only the rows of the page are read.
SELECT seq, at, kind, source, reasons, detail, hash FROM entry
WHERE seq IN (
    SELECT seq FROM entry INDEXED BY entry_at WHERE *** ORDER BY seq DESC LIMIT ?
)
ORDER BY seq DESC

-- name: export
-- The next entries after a number, up to another, of a period, oldest first.
SELECT seq, at, kind, source, reasons, detail, hash FROM entry
WHERE seq > ?1 AND seq <= ?2 AND at >= ?3 AND at < ?4 ORDER BY seq LIMIT ?5

-- name: bounds
-- The first and last number of a period.
SELECT min(seq), max(seq) FROM entry INDEXED BY entry_at WHERE at >= ?1 AND at < ?2

-- name: counts
SELECT source, reasons, count(*) FROM entry NOT INDEXED
WHERE kind = 'ticket' GROUP BY source, reasons

-- name: counts_of_period
SELECT source, reasons, count(*) FROM entry INDEXED BY entry_at
WHERE *** AND kind = 'ticket' GROUP BY source, reasons

-- name: gaps
SELECT detail FROM entry INDEXED BY entry_gap WHERE kind = 'gap' AND ***

-- name: calls_of_period
-- By the day they were started (days since 1970), model and status.
SELECT at / 86400000000 AS day, model, status, count(*), sum(attempt > 1),
    coalesce(sum(tokens_in), 0), coalesce(sum(tokens_out), 0), coalesce(sum(nano_usd), 0),
    sum(status IS NOT NULL AND tokens_in IS NULL), sum(tokens_in IS NOT NULL AND nano_usd IS NULL),
    sum(charged_tokens), sum(charged_nano_usd)
FROM call WHERE *** GROUP BY day, model, status ORDER BY day, model, status

-- name: any_ticket_of_a_call
SELECT EXISTS (SELECT 1 FROM call WHERE ticket IS NOT NULL)

-- name: hits_on_calls
-- Cache hits on tickets for which a model had been called, and those among them that were made for
-- another line of the template. What repeats one of the latter has it as its original. What a person
-- had decided is none of them. A detail that is no JSON counts as none: that is for verification to
-- tell.
SELECT count(*), coalesce(sum(seq IN (SELECT seq FROM ticket)), 0)
FROM entry INDEXED BY entry_source
WHERE source = 'cache' AND kind = 'ticket' AND ***
AND instr(',' || reasons || ',', ',reviewed,') = 0
AND (
    iif(json_valid(detail), json_extract(detail, '$.original'), NULL)
        IN (SELECT ticket FROM call WHERE ticket IS NOT NULL)
    OR (
        SELECT o.source FROM entry AS o
        WHERE o.seq = iif(json_valid(entry.detail), json_extract(entry.detail, '$.original'), NULL)
    ) = 'cache'
)

-- name: hits_on_calls_of_period
SELECT count(*), coalesce(sum(seq IN (SELECT seq FROM ticket)), 0)
FROM entry INDEXED BY entry_at
WHERE *** AND source = 'cache' AND kind = 'ticket'
AND instr(',' || reasons || ',', ',reviewed,') = 0
AND (
    iif(json_valid(detail), json_extract(detail, '$.original'), NULL)
        IN (SELECT ticket FROM call WHERE ticket IS NOT NULL)
    OR (
        SELECT o.source FROM entry AS o
        WHERE o.seq = iif(json_valid(entry.detail), json_extract(entry.detail, '$.original'), NULL)
    ) = 'cache'
)

-- name: chain
-- The whole chain beside the tickets, oldest first.
SELECT e.seq, e.at, e.kind, e.source, e.reasons, e.detail, e.hash, t.seq, t.key, t.body, t.text
FROM entry AS e LEFT JOIN ticket AS t ON t.seq = e.seq ORDER BY e.seq

-- name: ticket_key
SELECT key FROM ticket WHERE seq = ?1

-- name: source
SELECT source FROM entry WHERE seq = ?1 AND kind = 'ticket'

-- name: orphan
-- The first ticket that no entry stands for.
SELECT min(seq) FROM ticket WHERE seq NOT IN (SELECT seq FROM entry)

-- name: call_count
SELECT count(*) FROM call

-- name: orphaned_call
-- The first row of a call that no entry started.
SELECT min(seq) FROM call
WHERE NOT EXISTS (SELECT 1 FROM entry WHERE seq = call.seq AND kind = 'call_started')

-- name: whole_spend
SELECT day, tokens, nano_usd, reserved_tokens, reserved_nano_usd FROM spend
