// The queue with JavaScript: filters without reloading, decisions in place, live rows, keys.

import { flash, freshen, isTyping, say, tell } from "./app.js";
import { follow } from "./stream.js";

const form = document.getElementById("filters");
const results = () => document.getElementById("results");
const rows = () => [...document.querySelectorAll("#rows > .row")];
const rowOf = (id) => document.getElementById(`t${id}`);
const NOTES = ["did", "on", "stale", "bad", "barred", "fragment"];

// --- Addresses and fragments ---

/** The address of the list as it is now, without what only told of a decision. */
function address() {
  const url = new URL(location.href);
  for (const name of NOTES) url.searchParams.delete(name);
  return url;
}

/** The address that the filters ask for. */
function wanted() {
  const url = new URL("/", location.origin);
  const state = address().searchParams.get("state");
  if (state) url.searchParams.set("state", state);
  for (const [name, value] of new FormData(form)) {
    const text = value.trim();
    if (name !== "state" && text && !(name === "sort" && text === "severity")) url.searchParams.append(name, text);
  }
  return url;
}

/** Set the filters to what `url` says. */
function show(url) {
  const given = url.searchParams;
  for (const name of ["text", "service", "reason", "source"]) form.elements[name].value = given.get(name) ?? "";
  form.elements.sort.value = given.get("sort") ?? "severity";
  const severities = given.getAll("severity");
  for (const box of form.querySelectorAll("[name=severity]")) box.checked = severities.includes(box.value);
  tidy();
}

function tidy() {
  const url = wanted();
  url.searchParams.delete("state");
  url.searchParams.delete("sort");
  document.getElementById("clear").hidden = url.search === "";
}

async function fetched(url, signal) {
  const asked = new URL(url, location.origin);
  asked.searchParams.set("fragment", "rows");
  const answer = await fetch(asked, { headers: { Accept: "text/html" }, signal });
  const made = document.createElement("template");
  made.innerHTML = await answer.text();
  const found = made.content.getElementById("results");
  if (found === null) throw new Error(`no list came (${answer.status})`);
  return found;
}

let loading = null;

/** Replace the list by the one at `url`; `push` makes it a step of the history. */
async function load(url, push = true) {
  loading?.abort();
  const mine = (loading = new AbortController());
  results().setAttribute("aria-busy", "true");
  const slow = setTimeout(() => document.body.classList.add("busy"), 200);
  try {
    const found = await fetched(url, mine.signal);
    results().replaceWith(found);
    if (push) history.pushState(null, "", url);
    arrived();
    say(rows().length ? `${rows().length}${document.getElementById("next") ? " or more" : ""} tickets` : "No ticket matches");
  } catch (error) {
    if (error.name !== "AbortError") location.assign(url);
  } finally {
    clearTimeout(slow);
    if (loading === mine) document.body.classList.remove("busy");
  }
}

let typing;
form.addEventListener("submit", (event) => { event.preventDefault(); clearTimeout(typing); tidy(); load(wanted()); });
form.addEventListener("change", (event) => { if (event.target.id !== "text") form.requestSubmit(); });
form.elements.text.addEventListener("input", () => { clearTimeout(typing); typing = setTimeout(() => form.requestSubmit(), 70); });
addEventListener("popstate", () => { show(address()); load(address(), false); });

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href]");
  if (link === null || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
  const url = new URL(link.href);
  if (url.origin !== location.origin || url.pathname !== "/" || !link.closest("#results, #filters")) return;
  event.preventDefault();
  if (link.id === "next") { more(); return; }
  load(url).then(() => show(url));
});

// --- More rows as one scrolls ---

let fetching = false;

async function more() {
  const link = document.getElementById("next");
  if (link === null || fetching) return;
  fetching = true;
  try {
    const found = await fetched(link.href);
    // The list may be another by now.
    if (!link.isConnected) return;
    const fresh = [...found.querySelectorAll("#rows > .row")].filter((row) => rowOf(row.dataset.id) === null);
    document.getElementById("rows").append(...fresh);
    document.getElementById("pager").replaceWith(found.querySelector("#pager") ?? document.createElement("p"));
    watchEnd();
  } catch {
    link.textContent = "Show more (the last try failed)";
    link.closest(".pager").classList.add("failed");
  } finally {
    fetching = false;
  }
}

const end = new IntersectionObserver((seen) => { if (seen.some((one) => one.isIntersecting)) more(); }, { rootMargin: "1600px" });

function watchEnd() {
  end.disconnect();
  const link = document.getElementById("next");
  if (link !== null) end.observe(link);
}

// --- Ticks ---

const MOST = 500;
const boxes = () => [...document.querySelectorAll("#rows [name=pick]:enabled")];
let lastBox = null;

function count() {
  const ticked = boxes().filter((box) => box.checked).length;
  const told = document.getElementById("ticked");
  if (told === null) return;
  told.textContent = ticked ? `With ${ticked} ticked:` : "With those ticked:";
  const all = document.getElementById("all");
  all.checked = ticked > 0 && ticked === Math.min(boxes().length, MOST);
  all.indeterminate = ticked > 0 && !all.checked;
}

document.addEventListener("change", (event) => {
  if (event.target.id === "all") for (const [at, box] of boxes().entries()) box.checked = event.target.checked && at < MOST;
  if (event.target.id === "all" || event.target.name === "pick") count();
});
document.addEventListener("click", (event) => {
  const box = event.target;
  if (box.name !== "pick") return;
  if (event.shiftKey && lastBox?.isConnected) {
    const all = boxes();
    const [from, to] = [all.indexOf(lastBox), all.indexOf(box)].sort((a, b) => a - b);
    for (const one of all.slice(from, to + 1)) one.checked = box.checked;
    count();
  }
  lastBox = box;
});

// --- Decisions ---

let byKey = false;

document.addEventListener("submit", (event) => {
  const asked = event.target;
  if (asked.id !== "bulk" && asked.dataset.act !== "undo") return;
  event.preventDefault();
  decide(asked, event.submitter, byKey);
  byKey = false;
});

async function decide(asked, button, goOn) {
  const row = button.closest(".row");
  const sent = new URLSearchParams(new FormData(asked, button));
  if (row !== null) sent.delete("pick");
  // A disabled button would lose the focus.
  if (button.dataset.busy) return;
  button.dataset.busy = "1";
  try {
    const answer = await fetch(asked.action, { method: "POST", headers: { Accept: "application/json" }, body: sent });
    if (answer.status === 401) {
      location.assign(`/ui/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`);
      return;
    }
    const told = await answer.json();
    if (!answer.ok) throw new Error(told.detail ?? told.title);
    const next = goOn && row !== null ? following(row) : null;
    for (const [id, html] of Object.entries(told.rows)) renew(id, html);
    flash(told.flash);
    if (told.counts) counts(told.counts);
    count();
    if (next !== null) go(next);
  } catch (error) {
    const why = error instanceof TypeError ? "The service did not answer, so it is not known whether this was decided. Load the page again to see." : `Not decided: ${error.message}`;
    tell(why);
  } finally {
    delete button.dataset.busy;
  }
}

/** Put a new version of a row in its place; nothing else moves. */
function renew(id, html) {
  const old = rowOf(id);
  if (old === null) return;
  const made = document.createElement("template");
  made.innerHTML = html;
  const row = made.content.querySelector(".row");
  const held = old.contains(document.activeElement) ? document.activeElement : null;
  const box = old.querySelector("[name=pick]");
  if (box?.checked && row.dataset.pick === old.dataset.pick) row.querySelector("[name=pick]").checked = true;
  if (old.querySelector("details")?.open) row.querySelector("details")?.setAttribute("open", "");
  if (old.classList.contains("here")) row.classList.add("here");
  old.replaceWith(row);
  if (held !== null) {
    const same = held.dataset.key && row.querySelector(`[data-key=${held.dataset.key}]`);
    (same || (held.name === "pick" && row.querySelector("[name=pick]:enabled")) || row.querySelector(".row-open")).focus({ preventScroll: true });
  }
}

// --- Live updates ---

let changed = 0;
const stale = new Set();
const newcomers = new Set();
let unseen = false;
let soon = 0;

function altered(group) {
  changed = Math.max(changed, group.changed);
  const row = rowOf(group.id);
  if (row === null) {
    newcomers.add(String(group.id));
    unseen = true;
  } else if (Number(row.dataset.changed) < group.changed) {
    stale.add(group.id);
  }
  later();
}

/** Too much has changed to tell of each. */
function reset() {
  for (const row of rows()) stale.add(Number(row.dataset.id));
  unseen = true;
  later();
}

function lost(is) {
  const note = document.getElementById("lost");
  if (note.hidden && is) say(note.textContent);
  note.hidden = !is;
}

function counts(told) {
  changed = Math.max(changed, told.changed ?? 0);
  const by = told.by_state;
  by.all = Object.values(by).reduce((sum, one) => sum + one, 0);
  for (const place of document.querySelectorAll("[data-count]")) {
    place.textContent = (by[place.dataset.count] ?? 0).toLocaleString("en-US");
  }
}

/** Look soon, and not for every single change. */
function later() {
  soon ||= setTimeout(look, 400);
}

async function look() {
  soon = 0;
  const ids = [...stale].filter((id) => rowOf(id) !== null).slice(0, 200);
  for (const id of ids) stale.delete(id);
  try {
    if (ids.length) {
      const asked = new URLSearchParams(ids.map((id) => ["id", id]));
      asked.set("back", address().pathname + address().search);
      const answer = await fetch(`/ui/rows?${asked}`, { headers: { Accept: "application/json" } });
      if (answer.ok) for (const [id, html] of Object.entries(await answer.json())) renew(id, html);
      count();
    }
    if (unseen && !address().searchParams.has("cursor")) {
      unseen = false;
      news(await fetched(address()));
    }
  } catch {
    // The stream tells when the service is away.
  }
}

let waiting = null;

/** Announce rows of the newest list that have come since; the list itself stays as it is. */
function news(found) {
  const fresh = [...found.querySelectorAll("#rows > .row")].filter((row) => newcomers.has(row.dataset.id) && rowOf(row.dataset.id) === null);
  const button = document.getElementById("fresh");
  const text = fresh.length ? `Show ${fresh.length} new` : "";
  if (button.textContent !== text && fresh.length) say(`${fresh.length} new ${fresh.length === 1 ? "ticket" : "tickets"}`);
  button.textContent = text;
  button.hidden = !fresh.length;
  waiting = fresh.length ? found : null;
}

document.addEventListener("click", (event) => {
  if (event.target.id !== "fresh" || waiting === null) return;
  const known = new Set(rows().map((row) => row.dataset.id));
  const ticked = new Set(boxes().filter((box) => box.checked).map((box) => box.value));
  results().replaceWith(waiting);
  waiting = null;
  for (const box of boxes()) box.checked = ticked.has(box.value);
  arrived();
  scrollTo({ top: 0 });
  const first = rows().find((row) => !known.has(row.dataset.id));
  if (first) go(first);
});

// --- Keys ---

const here = () => document.activeElement?.closest(".row") ?? document.querySelector(".row.here");

function go(row) {
  for (const one of document.querySelectorAll(".row.here")) one.classList.remove("here");
  row.classList.add("here");
  row.querySelector(".row-open").focus({ preventScroll: true });
  row.scrollIntoView({ block: "nearest" });
}

function following(row) {
  const all = rows();
  const at = all.indexOf(row);
  return all.slice(at + 1).find((one) => one.dataset.state === "open") ?? all.slice(0, at).findLast((one) => one.dataset.state === "open") ?? null;
}

function step(by) {
  const all = rows();
  const at = all.indexOf(here());
  const row = at < 0 ? all[by > 0 ? 0 : all.length - 1] : all[at + by];
  if (row) go(row);
  if (by > 0 && at > all.length - 8) more();
}

/** Press what a key stands for: of all that are ticked, else of the row that one is at. */
function press(key) {
  const ticked = boxes().some((box) => box.checked);
  const of = ticked ? document.getElementById("bulk").querySelector(`[data-key=${key}]`) : null;
  const button = of ?? here()?.querySelector(`.row-do [data-key=${key}]`);
  if (!button) return;
  byKey = true;
  button.click();
}

function undo() {
  const button = document.querySelector("#flash [data-act=undo] button") ?? here()?.querySelector("[data-key=z]");
  if (button === null || button === undefined) tell("There is nothing to undo here: go to a ticket that you have decided about.");
  else button.click();
}

const KEYS = {
  j: () => step(1),
  k: () => step(-1),
  a: () => press("a"),
  c: () => press("c"),
  d: () => press("d"),
  s: () => press("s"),
  z: undo,
  x: () => here()?.querySelector("[name=pick]:enabled")?.click(),
  "/": () => { form.elements.text.focus(); form.elements.text.select(); },
  "?": () => document.getElementById("help").showModal(),
};

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && event.target === form.elements.text) { event.target.blur(); return; }
  if (isTyping(event) || document.querySelector("dialog[open]")) return;
  const does = KEYS[event.key];
  if (does === undefined) return;
  event.preventDefault();
  does();
});
document.addEventListener("focusin", (event) => {
  const row = event.target.closest(".row");
  if (row === null || row.classList.contains("here")) return;
  for (const one of document.querySelectorAll(".row.here")) one.classList.remove("here");
  row.classList.add("here");
});
document.getElementById("keys").addEventListener("click", KEYS["?"]);

// --- Beginning ---

function arrived() {
  newcomers.clear();
  changed = Math.max(changed, Number(results().dataset.changed));
  freshen(results());
  watchEnd();
  count();
}

history.replaceState(null, "", address());
arrived();
follow(() => changed, { group: altered, counts, reset, lost });
