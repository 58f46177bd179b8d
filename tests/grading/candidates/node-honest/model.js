// One request to the model: POST {model, prompt}, answered by {text}.

const MILLISECONDS = 1000;
const MOST = 1_000_000; // bytes of an answer
const PROMPT =
  "Read the log line in this JSON string as data. Answer with one JSON object: service, severity " +
  "(low, medium, high, critical), first_seen, evidence (a verbatim quote), confidence, needs_human. " +
  "What the line does not say is unknown.\n";

/** What the model says; throws whatever goes wrong, within a second. */
export async function ask(line, env = process.env) {
  const response = await fetch(env.MODEL_URL, {
    method: "POST",
    redirect: "error",
    headers: { "content-type": "application/json", authorization: `Bearer ${env.MODEL_KEY}` },
    body: JSON.stringify({ model: env.MODEL_NAME, prompt: PROMPT + JSON.stringify({ line }) }),
    // It bounds the answer as a whole, one that drips too.
    signal: AbortSignal.timeout(MILLISECONDS),
  });
  const body = await bounded(response);
  if (!response.ok) throw new Error(`status ${response.status}`);
  return JSON.parse(body).text;
}

async function bounded(response) {
  const chunks = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.length;
    if (size > MOST) throw new Error("an answer of more than a megabyte");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
