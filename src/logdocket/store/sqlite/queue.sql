-- Every statement about the review queue, by name. A name ends where the next begins.

-- name: queue_state
-- How far the queue follows the ledger, how many groups were woken, and the last entry there is.
SELECT upto, version, woken, (SELECT coalesce(max(seq), 0) FROM entry) FROM queue_state

-- name: last_entry
SELECT coalesce(max(seq), 0) FROM entry

-- name: put_queue_state
REPLACE INTO queue_state (id, upto, version, woken) VALUES (1, ?1, ?2, ?3)

-- name: forget_groups
DELETE FROM queue_group

-- name: forget_search
DELETE FROM queue_search

-- name: forget_tickets
DELETE FROM queue_ticket

-- name: forget_verdicts
DELETE FROM queue_verdict

-- name: forget_days
DELETE FROM queue_day

-- name: queue_tickets_of
-- The tickets with a body of a stretch of entries that a person may have to see, and what proves
-- each.
SELECT t.seq, e.at, e.kind, e.source, e.reasons, e.detail, e.hash,
    (SELECT hash FROM entry WHERE seq = t.seq - 1), t.key, t.body, t.text
FROM ticket AS t JOIN entry AS e ON e.seq = t.seq
WHERE t.seq > ?1 AND t.seq <= ?2 AND (e.reasons <> '' OR instr(e.detail, '"revises":') > 0)
ORDER BY t.seq

-- name: verdict_entries
-- The verdicts of a stretch of entries.
SELECT seq, at, detail FROM entry INDEXED BY entry_other
WHERE kind <> 'ticket' AND kind = 'verdict' AND seq > ?1 AND seq <= ?2 ORDER BY seq

-- name: last_verdict
SELECT coalesce(max(seq), 0) FROM entry INDEXED BY entry_other
WHERE kind <> 'ticket' AND kind = 'verdict'

-- name: queue_hits_of
-- Cache hits without a body of a stretch of entries that a person may have to see: by the ticket
-- that they repeat, how many, from when to when, the last, and the last that no verdict answered. A
-- detail that is no JSON counts as none: that is for verification to tell.
SELECT iif(json_valid(detail), json_extract(detail, '$.original'), NULL) AS original, count(*),
    min(at), max(at), max(seq), max(iif(instr(',' || reasons || ',', ',reviewed,') > 0, 0, seq))
FROM entry
WHERE seq > ?1 AND seq <= ?2 AND source = 'cache' AND kind = 'ticket' AND reasons <> ''
    AND seq NOT IN (SELECT seq FROM ticket WHERE seq > ?1 AND seq <= ?2)
GROUP BY original ORDER BY original

-- name: queue_days_of
-- Tickets of a stretch of entries by day and source.
SELECT at / 86400000000 AS day, source, count(*) FROM entry
WHERE seq > ?1 AND seq <= ?2 AND kind = 'ticket' AND source IS NOT NULL GROUP BY day, source

-- name: add_to_day
INSERT INTO queue_day (day, source, tickets) VALUES (?1, ?2, ?3)
ON CONFLICT DO UPDATE SET tickets = tickets + excluded.tickets

-- name: queue_days
SELECT day, source, tickets FROM queue_day WHERE day >= ?1 AND day <= ?2 ORDER BY day, source

-- name: queue_groups
-- The groups for which the condition holds that stands in place of the stars.
SELECT id, key, state, severity, service, all_reasons, count, base, from_model, from_cache,
    from_fallback, first_at, last_at, fresh, version, standing, settled, verdict, decided_by,
    decided_at, reopened, until, waiting, changed, ticket, reasons, first_moment, first_seen,
    last_moment, last_seen, template, evidence
FROM queue_group WHERE ***

-- name: queue_groups_by_key
SELECT id, key, state, severity, service, all_reasons, count, base, from_model, from_cache,
    from_fallback, first_at, last_at, fresh, version, standing, settled, verdict, decided_by,
    decided_at, reopened, until, waiting, changed, ticket, reasons, first_moment, first_seen,
    last_moment, last_seen, template, evidence
FROM queue_group WHERE key IN (***)

-- name: queue_groups_by_id
SELECT id, key, state, severity, service, all_reasons, count, base, from_model, from_cache,
    from_fallback, first_at, last_at, fresh, version, standing, settled, verdict, decided_by,
    decided_at, reopened, until, waiting, changed, ticket, reasons, first_moment, first_seen,
    last_moment, last_seen, template, evidence
FROM queue_group WHERE id IN (***)

-- name: scan_groups
-- The groups for which the condition holds that stands in place of the stars, by reading all.
SELECT id FROM queue_group AS g NOT INDEXED WHERE ***

-- name: scan_text
-- The same where a text must be found.
SELECT id FROM queue_search AS s CROSS JOIN queue_group AS g ON g.id = s.grp WHERE ***

-- name: any_after
-- Whether there are so many groups and one more for which a condition holds.
SELECT EXISTS (SELECT 1 FROM queue_group WHERE *** LIMIT 1 OFFSET ?)

-- name: put_queue_group
-- As many rows of 32 values as stand behind it; each takes the place of the one before.
REPLACE INTO queue_group (
    id, key, state, severity, service, all_reasons, count, base, from_model, from_cache,
    from_fallback, first_at, last_at, fresh, version, standing, settled, verdict, decided_by,
    decided_at, reopened, until, waiting, changed, ticket, reasons, first_moment, first_seen,
    last_moment, last_seen, template, evidence
) VALUES

-- name: count_in_group
-- Tickets were given again, and nothing else has changed.
UPDATE queue_group SET count = ?2, from_cache = ?3, first_at = ?4, last_at = ?5, fresh = ?6,
    changed = ?7
WHERE id = ?1

-- name: put_queue_search
-- As many rows of two values as stand behind it; each takes the place of the one before.
REPLACE INTO queue_search (grp, text) VALUES

-- name: queue_ticket_rows
SELECT seq, grp, done, fault, looks, latest FROM queue_ticket WHERE seq IN (***)

-- name: put_queue_ticket
-- As many rows of six values as stand behind it; each takes the place of the one before.
REPLACE INTO queue_ticket (seq, grp, done, fault, looks, latest) VALUES

-- name: queue_twins
-- The tickets under the key of another before an entry, that one among them.
SELECT t.seq FROM ticket AS t JOIN ticket AS o ON o.seq = ?1
WHERE substr(t.key, 1, 4) = substr(o.key, 1, 4) AND t.key = o.key AND t.seq < ?2 ORDER BY t.seq

-- name: sources
SELECT seq, source FROM entry WHERE seq IN (***)

-- name: count_waiting
-- Tickets of a group after an entry that need a decision of their own.
SELECT count(*) FROM queue_ticket WHERE grp = ?1 AND seq > ?2 AND done = 0

-- name: newest_waiting
SELECT max(seq) FROM queue_ticket WHERE grp = ?1 AND seq > ?2 AND done = 0

-- name: queue_verdict_rows
SELECT seq, grp, was, was_until, was_reopened, was_base, was_standing, was_settled, undone_by
FROM queue_verdict WHERE seq IN (***)

-- name: put_queue_verdict
-- As many rows of nine values as stand behind it; each takes the place of the one before.
REPLACE INTO queue_verdict (
    seq, grp, was, was_until, was_reopened, was_base, was_standing, was_settled, undone_by
) VALUES

-- name: awake
-- The snoozed groups whose time has come.
SELECT id FROM queue_group INDEXED BY queue_asleep
WHERE state = 'snoozed' AND until <= ?1 ORDER BY until, id

-- name: any_awake
SELECT EXISTS (
    SELECT 1 FROM queue_group INDEXED BY queue_asleep WHERE state = 'snoozed' AND until <= ?1
)

-- name: group_of_ticket
SELECT grp FROM queue_ticket WHERE seq = ?1

-- name: groups_by_state
SELECT state, count(*) FROM queue_group INDEXED BY queue_by_last GROUP BY state

-- name: last_change
SELECT coalesce(max(changed), 0) FROM queue_group

-- name: change_at
-- Where a page of changes ends.
SELECT max(changed) FROM (
    SELECT changed FROM queue_group WHERE changed > ?1 ORDER BY changed LIMIT ?2
)

-- name: tickets_of_group
SELECT t.seq, e.at, e.kind, e.source, e.reasons, e.detail, e.hash,
    (SELECT hash FROM entry WHERE seq = t.seq - 1), t.key, t.body, t.text
FROM queue_ticket AS q JOIN ticket AS t ON t.seq = q.seq JOIN entry AS e ON e.seq = q.seq
WHERE q.grp = ?1 ORDER BY q.seq DESC LIMIT ?2

-- name: verdicts_of_groups
SELECT e.seq, e.at, e.detail, q.undone_by, q.grp
FROM queue_verdict AS q JOIN entry AS e ON e.seq = q.seq WHERE q.grp IN (***)

-- name: pending
-- Tickets that a model may be asked about once more: newer than what a person last decided about
-- their group, unless that puts the group off. After ?1 looks a ticket is left to people.
SELECT t.seq, e.at, e.kind, e.source, e.reasons, e.detail, e.hash,
    (SELECT hash FROM entry WHERE seq = t.seq - 1), t.key, t.body, t.text, q.looks
FROM queue_ticket AS q INDEXED BY queue_ticket_fault
JOIN queue_group AS g ON g.id = q.grp
JOIN ticket AS t ON t.seq = q.seq
JOIN entry AS e ON e.seq = q.seq
WHERE q.fault >= 0 AND q.looks < ?1 AND q.seq > g.standing
    AND coalesce(g.verdict, '') NOT IN ('snoozed', 'not_a_problem') AND t.text IS NOT NULL
ORDER BY q.fault DESC, q.seq

-- name: is_pending
SELECT 1 FROM queue_ticket AS q JOIN queue_group AS g ON g.id = q.grp
WHERE q.seq = ?2 AND q.fault IS NOT NULL AND q.looks < ?1 AND q.seq > g.standing
    AND coalesce(g.verdict, '') NOT IN ('snoozed', 'not_a_problem')

-- name: pending_counts
SELECT count(*), coalesce(sum(
    q.fault >= 0 AND EXISTS (SELECT 1 FROM ticket WHERE seq = q.seq AND text IS NOT NULL)
), 0)
FROM queue_ticket AS q INDEXED BY queue_ticket_fault
CROSS JOIN queue_group AS g ON g.id = q.grp
WHERE q.fault IS NOT NULL AND q.looks < ?1 AND q.seq > g.standing
    AND coalesce(g.verdict, '') NOT IN ('snoozed', 'not_a_problem')

-- name: finished_between
-- How calls ended, of a stretch of entries.
SELECT seq, detail FROM entry INDEXED BY entry_other
WHERE kind <> 'ticket' AND kind = 'call_finished' AND seq > ?1 AND seq < ?2 ORDER BY seq

-- name: details
SELECT seq, detail FROM entry WHERE seq IN (***)

-- name: line_of_ticket
-- The hash of the line of a ticket with a body. A detail that is no JSON counts as none.
SELECT iif(json_valid(detail), json_extract(detail, '$.line'), NULL) FROM entry
WHERE seq = ?1 AND kind = 'ticket' AND EXISTS (SELECT 1 FROM ticket WHERE seq = ?1)

-- name: orphaned_verdict
-- The first verdict of the queue that is no entry.
SELECT min(seq) FROM queue_verdict
WHERE NOT EXISTS (SELECT 1 FROM entry WHERE seq = queue_verdict.seq AND kind = 'verdict')

-- name: groups_of_verdicts
SELECT seq, grp FROM queue_verdict WHERE grp > 0
