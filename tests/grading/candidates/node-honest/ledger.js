// A file of JSON lines, written before the answer goes out.

import { appendFileSync, mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";

export class Ledger {
  constructor(path) {
    this.path = path;
    mkdirSync(dirname(path), { recursive: true });
    appendFileSync(path, "");
  }

  enter(entry) {
    appendFileSync(this.path, `${JSON.stringify({ at: new Date().toISOString(), ...entry })}\n`);
  }

  entries() {
    return readFileSync(this.path, "utf8").split("\n").filter(Boolean).map((row) => JSON.parse(row));
  }
}
