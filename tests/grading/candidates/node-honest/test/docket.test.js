import assert from "node:assert/strict";
import test from "node:test";

import { Docket } from "../docket.js";

const LINE = "2026-05-06T07:08:09Z ERROR ferries: boat 4 is late";
const GOOD = JSON.stringify({
  service: "ferries",
  severity: "high",
  first_seen: "2026-05-06T07:08:09Z",
  evidence: "boat 4 is late",
  confidence: 0.97,
  needs_human: false,
});

function desk(...says) {
  const entries = [];
  const docket = new Docket({
    ledger: { enter: (entry) => entries.push(entry.type) },
    model: async () => says.shift() ?? says[0],
    env: { MODEL_KEY: "test" },
  });
  return { docket, entries };
}

test("a good answer needs nobody", async () => {
  const ticket = await desk(GOOD).docket.extract(LINE);
  assert.equal(ticket.service, "ferries");
  assert.equal(ticket.needs_human, false);
});

test("junk is asked about once more, then goes to a person", async () => {
  const { docket, entries } = desk("no", "no");
  assert.equal((await docket.extract(LINE)).needs_human, true);
  assert.deepEqual(entries, ["model_call", "model_call", "fallback"]);
});

test("the same line at once costs one call", async () => {
  const { docket, entries } = desk(GOOD);
  await Promise.all([docket.extract(LINE), docket.extract(LINE)]);
  assert.deepEqual(entries.toSorted?.() ?? [...entries].sort(), ["cache_hit", "model_call"]);
});

test("a failure is asked about again", async () => {
  const { docket } = desk("no", "no", GOOD);
  await docket.extract(LINE);
  assert.equal((await docket.extract(LINE)).needs_human, false);
});

test("without a key there is no call", async () => {
  const docket = new Docket({
    ledger: { enter() {} },
    model: () => assert.fail("called"),
    env: {},
  });
  assert.equal((await docket.extract(LINE)).reason, "no key");
});
