// What every page does when JavaScript is on. Without it all pages still read and decide.

document.documentElement.classList.add("js");

const STEPS = [[86_400, "d"], [3_600, "h"], [60, "min"]];
const DAYS = 30;

/** How long ago `moment` (a Date) was, in the words that the service uses. */
export function ago(moment, now = Date.now()) {
  const seconds = (now - moment.getTime()) / 1000;
  const away = seconds < 0 ? 30 - seconds : seconds;
  if (away > DAYS * 86_400) return moment.toISOString().slice(0, 10);
  for (const [step, word] of STEPS) {
    if (away >= step) {
      const told = `${Math.floor(away / step)} ${word}`;
      return seconds < 0 ? `in ${told}` : `${told} ago`;
    }
  }
  return seconds < -5 ? "in a moment" : "just now";
}

/** Bring all ages within `root` up to date. */
export function freshen(root = document) {
  for (const time of root.querySelectorAll("time[datetime]:not([data-still])")) {
    const text = ago(new Date(time.dateTime));
    if (time.textContent !== text) time.textContent = text;
  }
}

/** Say `text` to people who hear the page. */
export function say(text) {
  const live = document.getElementById("live");
  if (live.textContent === text) live.textContent = "";
  setTimeout(() => { live.textContent = text; }, 50);
}

/** Whether a key was pressed into something that takes text, or with another key held. */
export function isTyping(event) {
  const at = event.target;
  return event.ctrlKey || event.metaKey || event.altKey || event.isComposing
    || at.isContentEditable || at.closest("input:not([type=checkbox], [type=radio]), select, textarea") !== null;
}

let fading;

/** Show the note `html` that the service made, over the page, so that nothing moves. */
export function flash(html) {
  const place = document.getElementById("flash");
  place.className = "toast";
  place.innerHTML = html;
  say(place.querySelector("p")?.textContent ?? "");
  fade(place);
}

/** Show a note of this page's own. */
export function tell(text) {
  const place = document.getElementById("flash");
  place.className = "toast";
  place.innerHTML = '<section class="flash flash-bad" aria-label="What was done"><div class="flash-in"><p></p></div></section>';
  place.querySelector("p").textContent = text;
  say(text);
  fade(place);
}

/** Take the note away after a while, but not while someone is at it. */
function fade(place) {
  clearTimeout(fading);
  fading = setTimeout(() => {
    if (place.matches(":hover, :focus-within")) fade(place);
    else place.replaceChildren();
  }, 15_000);
}

setInterval(() => { if (!document.hidden) freshen(); }, 20_000);
document.addEventListener("visibilitychange", () => { if (!document.hidden) freshen(); });
freshen();
