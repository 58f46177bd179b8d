// POST /extract and GET /ledger.

import { createServer } from "node:http";

import { Docket } from "./docket.js";
import { Ledger } from "./ledger.js";

const MOST = 4 * 1024 * 1024; // bytes of a request

const ledger = new Ledger(process.env.LEDGER ?? "var/ledger.jsonl");
const docket = new Docket({ ledger });

async function body(request) {
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > MOST) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function lineIn(bytes) {
  try {
    const line = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)).line;
    return typeof line === "string" && line.trim() ? line : null;
  } catch {
    return null;
  }
}

async function respond(request) {
  if (request.method === "GET" && request.url === "/ledger") return [200, ledger.entries()];
  if (request.url !== "/extract") return [404, { error: "there is POST /extract and GET /ledger" }];
  if (request.method !== "POST") return [405, { error: "POST a line" }];
  const bytes = await body(request);
  if (bytes === null) return [413, { error: "a line has 4 MiB at most" }];
  const line = lineIn(bytes);
  if (line === null) return [400, { error: 'the body is {"line": "..."}, in UTF-8' }];
  return [200, await docket.extract(line)];
}

const server = createServer((request, response) => {
  respond(request)
    .catch((error) => [500, { error: String(error) }])
    .then(([status, value]) => {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(value));
    });
});

server.listen(Number(process.env.PORT ?? 8000), "127.0.0.1");
