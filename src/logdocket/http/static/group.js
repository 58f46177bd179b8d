// One ticket with JavaScript: correct by selecting in the line, keys, a note when it changes.

import { isTyping, say, tell } from "./app.js";
import { follow } from "./stream.js";

const ticket = document.getElementById("ticket");
const line = document.getElementById("line");
const uses = [...document.querySelectorAll("[data-use]")];

/** The text of the line that is selected, without the labels between; empty where there is none. */
function selected() {
  const selection = getSelection();
  if (line === null || selection.isCollapsed || selection.rangeCount === 0) return "";
  const range = selection.getRangeAt(0);
  if (!line.contains(range.commonAncestorContainer)) return "";
  const copy = range.cloneContents();
  for (const label of copy.querySelectorAll(".tag, .cut")) label.remove();
  // A selection that begins or ends within a label takes that label's text along.
  let text = copy.textContent;
  for (const [node, whole] of [[range.startContainer, true], [range.endContainer, false]]) {
    const label = node.parentElement?.closest(".tag, .cut");
    if (!label) continue;
    const part = whole ? node.data.slice(range.startOffset) : node.data.slice(0, range.endOffset);
    text = whole ? text.slice(part.length) : text.slice(0, text.length - part.length);
  }
  return text;
}

let chosen = "";
document.addEventListener("selectionchange", () => {
  const text = selected();
  // Pressing a button may end the selection: what was selected stays usable until it is used.
  if (text === "" && uses.includes(document.activeElement)) return;
  chosen = text;
  for (const button of uses) button.disabled = text.trim() === "";
});
for (const button of uses) {
  button.addEventListener("pointerdown", (event) => event.preventDefault());
  button.addEventListener("click", () => {
    const field = document.getElementById(button.dataset.use);
    document.getElementById("correct").open = true;
    field.value = button.dataset.use === "evidence" ? chosen : chosen.trim();
    field.dispatchEvent(new Event("input", { bubbles: true }));
    field.focus({ preventScroll: true });
    field.scrollIntoView({ block: "nearest" });
    say(`${button.textContent.trim()} is now ${field.value}`);
  });
}

// --- Keys ---

const press = (key) => document.querySelector(`main [data-key=${key}]`)?.click();
const help = document.getElementById("help");

function correct() {
  const place = document.getElementById("correct");
  if (place === null) return;
  place.open = true;
  const field = document.getElementById("evidence");
  field.focus();
  field.scrollIntoView({ block: "nearest" });
}

function undo() {
  const button = document.querySelector("#flash [data-act=undo] button") ?? document.querySelector("main [data-key=z]");
  if (button === null) tell("There is nothing to undo: no decision of yours stands.");
  else button.click();
}

const KEYS = {
  a: () => press("a"),
  c: correct,
  d: () => press("d"),
  s: () => press("s"),
  z: undo,
  q: () => document.getElementById("back").click(),
  "?": () => help.showModal(),
};

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && isTyping(event)) { event.target.blur(); return; }
  if (isTyping(event) || document.querySelector("dialog[open]")) return;
  const does = KEYS[event.key];
  if (does === undefined) return;
  event.preventDefault();
  does();
});
document.getElementById("keys").addEventListener("click", KEYS["?"]);

if (document.getElementById("alert")) document.getElementById("alert").focus();

// --- What others do ---

const shown = Number(ticket.dataset.changed);

const DID = {
  right: "judged it right", corrected: "corrected it", not_a_problem: "judged it not a problem",
  snoozed: "put it off", reopened: "opened it again",
};

/** Say over the page what has become of the group, so that nothing moves. */
function moved(group) {
  if (String(group.id) !== ticket.dataset.id || group.changed <= shown) return;
  const note = document.getElementById("moved"), what = document.getElementById("moved-what");
  let text = "New tickets have come to it.";
  if (group.version !== Number(ticket.dataset.version)) {
    const did = DID[group.verdict];
    text = did ? `Meanwhile ${group.decided_by} has ${did}.` : "Meanwhile it has been decided otherwise.";
  }
  if (!note.hidden && what.textContent === text) return;
  what.textContent = text;
  note.hidden = false;
  say(note.textContent);
}

/** Look by itself where too much has changed to be told of each. */
async function look() {
  try {
    const answer = await fetch(`/queue/${ticket.dataset.id}`, { headers: { Accept: "application/json" } });
    if (answer.ok) moved((await answer.json()).group);
  } catch {
    // The stream tells when the service is there again.
  }
}

follow(() => shown, { group: moved, reset: look, lost() {} });
