// What changes in the queue, as it happens.

const PATIENCE = 1_500;
const LONGEST = 60_000;

/**
 * Follow the queue from `position()`, the newest change that the page shows.
 *
 * `on.group`, `on.counts` and `on.reset` are called with what the service sends; `on.lost(true)`
 * where nothing has come through for a while, `on.lost(false)` where it does again. A page that
 * nobody sees does not follow: a browser opens few connections to one service.
 */
export function follow(position, on) {
  let stream = null;
  let wait = 2_000;
  let again;
  let noted;

  function lost(is) {
    clearTimeout(noted);
    if (is) noted = setTimeout(() => on.lost(true), PATIENCE);
    else on.lost(false);
  }

  function open() {
    close();
    stream = new EventSource(`/queue/changes?after=${position()}`);
    stream.addEventListener("open", () => { wait = 2_000; lost(false); });
    stream.addEventListener("error", () => {
      lost(true);
      // Where the service refuses, a browser does not try again by itself.
      if (stream?.readyState !== EventSource.CLOSED) return;
      again = setTimeout(open, wait);
      wait = Math.min(wait * 2, LONGEST);
    });
    stream.addEventListener("group", (event) => on.group(JSON.parse(event.data)));
    stream.addEventListener("counts", (event) => on.counts?.(JSON.parse(event.data)));
    stream.addEventListener("reset", () => on.reset?.());
  }

  function close() {
    clearTimeout(again);
    clearTimeout(noted);
    stream?.close();
    stream = null;
  }

  document.addEventListener("visibilitychange", () => { if (document.hidden) close(); else open(); });
  addEventListener("pagehide", close);
  addEventListener("pageshow", (event) => { if (event.persisted) open(); });
  if (!document.hidden) open();
}
