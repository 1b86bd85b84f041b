import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { agentTrace, type PlainSpan, requestAsProtobuf } from "../../chaos/agent-trace.ts";
import { freePort } from "../../support/free-port.ts";
import { freePorts, Tracejury } from "../servers/peers.ts";
import type { OwnSpans, OwnTracesPlace } from "./servers.ts";

const traces = 20;
const rules = ["The answer names what was looked up.", "The answer is friendly."];

/**
 * `serve` judges runs with a model that answers from a script, and sends the traces of its own work to the tool. `missing` is the number of
 * evaluations and requests that the tool does not have.
 */
export async function sendOwnTraces(
  url: string,
  place: OwnTracesPlace,
  folder: string,
  ofNow: (span: PlainSpan) => PlainSpan,
): Promise<OwnSpans & { readonly missing: number }> {
  const model = await startModel();
  process.env["OPENAI_API_KEY"] = "sk-scripted";
  process.env["OPENAI_BASE_URL"] = `${model.url}/v1`;
  const ports = await freePorts();
  const tracejury = new Tracejury(folder, ports, await freePort(), {
    assemble: { root_quiet: "1s", root_open: "1s", late_window: "1s" },
    telemetry: { traces: { endpoint: url, headers: place.headers } },
  });
  writeFileSync(
    join(folder, "spec.yaml"),
    `version: 1
agent: chaos
judge_config: { model: openai/gpt-4o-mini }
queries: [{ query: "*", correctness: { llm_judge: ${JSON.stringify(rules.map((rule) => ({ rule })))} } }]
`,
  );
  try {
    await tracejury.start();
    const series = 1 + Math.floor(Math.random() * 2 ** 40);
    for (let n = 0; n < traces; n++) {
      const { tools, root } = agentTrace(series, n, 2);
      const body = new Uint8Array(requestAsProtobuf([...tools, root].map(ofNow)));
      const headers = { "content-type": "application/x-protobuf" };
      await fetch(`http://127.0.0.1:${ports.http}/v1/traces`, { method: "POST", headers, body });
    }
    const wanted = traces + traces * rules.length;
    for (let tries = 0; tries < 120; tries++) {
      const found = await place.spans();
      if (found.evaluations + found.judgeCalls >= wanted && found.deliveries > 0) break;
      await sleep(500);
    }
    await tracejury.end("SIGTERM");
    await sleep(3000); // the tool writes what it was sent a little later
    const found = await place.spans();
    const missing = wanted - found.evaluations - found.judgeCalls;
    return { ...found, missing: missing + (found.deliveries > 0 ? 0 : 1) };
  } finally {
    await tracejury.end("SIGKILL");
    model.close();
  }
}

async function startModel(): Promise<{ url: string; close(): void }> {
  const reply = JSON.stringify({ score: 5, label: "pass", rationale: "It does." });
  const answer = {
    id: "chatcmpl-1",
    object: "chat.completion",
    model: "gpt-4o-mini",
    choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: reply } }],
    usage: { prompt_tokens: 820, completion_tokens: 34, total_tokens: 854 },
  };
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => void server.close(),
  };
}
