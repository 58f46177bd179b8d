// What a ticket may say. A model's answer counts only where the line bears it out.

const SEVERITIES = ["low", "medium", "high", "critical"];
const LEVELS = [
  /\b(?:trace|debug|info|notice)\b/i,
  /\b(?:warn|warning)\b/i,
  /\b(?:err|error|severe)\b/i,
  /\b(?:crit|critical|fatal|panic|emerg)\b/i,
];
const STAMP = /\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?/g;

export class Junk extends Error {}

/** The ticket of nobody's answer: all that is known is that a person must look. */
export function fallback(line, reason) {
  return {
    service: "unknown",
    severity: "medium",
    first_seen: "unknown",
    evidence: line.trim(),
    confidence: 0,
    needs_human: true,
    reason,
  };
}

/** The ticket of a model's answer about `line`; throws Junk where there is nothing to stand on. */
export function ticketOf(line, text) {
  const said = parsed(text);
  for (const field of ["service", "severity", "first_seen", "evidence"]) {
    if (typeof said[field] !== "string") throw new Junk(`no ${field}`);
  }
  if (!SEVERITIES.includes(said.severity)) throw new Junk("no such severity");
  if (!said.evidence.trim() || !line.includes(said.evidence)) throw new Junk("no quote");
  const service = names(line, said.service) ? said.service : "unknown";
  const firstSeen = stamps(line).includes(said.first_seen) ? iso(said.first_seen) : "unknown";
  const level = levelOf(line);
  const agreed = level === null || level === said.severity;
  const checks = [service !== "unknown", firstSeen !== "unknown", agreed, level !== null];
  return {
    service,
    severity: agreed ? said.severity : graver(level, said.severity),
    first_seen: firstSeen,
    evidence: said.evidence,
    confidence: checks.filter(Boolean).length / (checks.length + 1),
    needs_human: !checks.slice(0, 3).every(Boolean) || said.needs_human === true,
  };
}

function parsed(text) {
  try {
    const said = JSON.parse(text);
    if (said !== null && typeof said === "object" && !Array.isArray(said)) return said;
  } catch {
    // Told below, as any other junk.
  }
  throw new Junk("no JSON object");
}

function names(line, service) {
  if (!/^\p{L}[\p{L}\p{N}._-]{0,63}$/u.test(service)) return false;
  const quoted = service.replaceAll(".", "\\.");
  return new RegExp(`(?<![\\p{L}\\p{N}_-])${quoted}(?![\\p{L}\\p{N}_-])`, "u").test(line);
}

/** The times with which a line begins, or that stand under a key; others are of its message. */
function stamps(line) {
  const before = /^[^a-z]{0,20}$|(?:time|timestamp|ts)["=: ]{1,4}$/;
  return [...line.slice(0, 400).matchAll(STAMP)]
    .filter((found) => before.test(line.slice(0, found.index)))
    .map((found) => found[0]);
}

function iso(stamp) {
  return stamp.replace(" ", "T").replace(",", ".");
}

/** The severity of the level that comes first in the line's beginning, null without one. */
function levelOf(line) {
  const places = LEVELS.map((level) => line.slice(0, 200).search(level));
  const first = Math.min(...places.filter((place) => place >= 0));
  return Number.isFinite(first) ? SEVERITIES[places.indexOf(first)] : null;
}

function graver(one, other) {
  return SEVERITIES[Math.max(SEVERITIES.indexOf(one), SEVERITIES.indexOf(other))];
}
