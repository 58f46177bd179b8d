// Prints the tickets that recorded exchanges give, one a line. It asks no model and keeps nothing.

import { readFileSync } from "node:fs";

import { Docket } from "./docket.js";

const exchanges = JSON.parse(readFileSync(process.argv[2], "utf8"));
const said = new Map(exchanges.map(({ line, text }) => [line, text]));
const docket = new Docket({
  ledger: { enter() {} },
  model: async (line) => said.get(line),
  env: { MODEL_KEY: "replayed" },
});

for (const { line } of exchanges) console.log(JSON.stringify(await docket.extract(line)));
