// The way of a line: cache, model, one retry, fallback; and what of it goes into the ledger.

import { ask } from "./model.js";
import { fallback, ticketOf } from "./ticket.js";

const MOST = 10_000; // lines that are remembered

export class Docket {
  constructor({ ledger, model = ask, env = process.env }) {
    Object.assign(this, { ledger, model, env, known: new Map() });
  }

  /** The ticket of a line. Who asks for the same line meanwhile gets the same answer. */
  async extract(line) {
    const known = this.known.get(line);
    if (known !== undefined) {
      this.ledger.enter({ type: "cache_hit" });
      return known;
    }
    const made = this.#make(line);
    this.known.set(line, made);
    if (this.known.size > MOST) this.known.delete(this.known.keys().next().value);
    const ticket = await made;
    // A failure is not remembered: the model may be back by the next time.
    if (ticket.reason !== undefined) this.known.delete(line);
    return ticket;
  }

  async #make(line) {
    let reason = "no key";
    for (let attempt = 1; attempt <= 2 && this.env.MODEL_KEY; attempt += 1) {
      try {
        const ticket = ticketOf(line, await this.model(line, this.env));
        this.ledger.enter({ type: "model_call", attempt, ok: true });
        return ticket;
      } catch (error) {
        reason = String(error.message ?? error);
        this.ledger.enter({ type: "model_call", attempt, ok: false, reason });
      }
    }
    this.ledger.enter({ type: "fallback", reason });
    return fallback(line, reason);
  }
}
