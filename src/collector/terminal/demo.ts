import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { packageFolder } from "../../support/process/package-folder.ts";
import { DEMO_ATTRIBUTE } from "../../model/demo-attribute.ts";
import { directFetch } from "../../support/http/direct-fetch.ts";
import type { CollectorSettings } from "../settings/options.ts";

/**
 * Recorded runs that show the outcomes to a new user: one passes, one warns (budget), and one fails
 * (forbidden tool).
 */
const recordings = [
  "rag-weather-fixed.langgraph.jsonl",
  "rag-langgraph.langgraph.jsonl",
  "rag-weather-broken.langgraph.jsonl",
];

const folder = new URL("test/fixtures/runs/", packageFolder());

/** Returns the paths of the example specs, independent of the working directory. */
export function demoSpecs(): string[] {
  return [fileURLToPath(new URL("specs/*.yaml", packageFolder()))];
}

/** Returns settings for the demo: waits are shorter, and nothing is stored on disk. */
export function demoSettings(settings: CollectorSettings): CollectorSettings {
  const { timeouts, store } = settings;
  return {
    ...settings,
    timeouts: { ...timeouts, rootQuietMs: 1_000, rootOpenMs: 4_000, idleMs: 20_000 },
    ...(store === undefined ? {} : { store: { ...store, mode: "memory" } }),
    journal: null,
    outputQueues: undefined,
  };
}

/**
 * Sends the recorded runs to our own receiver: each line of a recording is one request, as the exporter sent it, with a
 * mark for the demo. Returns the number of accepted requests.
 */
export async function sendRecordings(receiverUrl: string): Promise<number> {
  let taken = 0;
  for (const name of recordings) {
    // The published package does not contain the recordings.
    if (!existsSync(new URL(name, folder))) continue;
    const text = await readFile(fileURLToPath(new URL(name, folder)), "utf8");
    for (const line of text.split("\n")) {
      if (line.trim() === "") continue;
      const answer = await directFetch()(`${receiverUrl}/v1/traces`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: markedAsDemo(line),
      });
      if (answer.ok) taken++;
    }
  }
  return taken;
}

/** Adds the attribute `tracejury.demo` to the resources of an OTLP/JSON request, so that `init` can leave the demo's runs out. */
function markedAsDemo(request: string): string {
  const opening = '"resource":{"attributes":[';
  return request.replaceAll(opening, `${opening}{"key":"${DEMO_ATTRIBUTE}","value":{"boolValue":true}},`);
}

/** Returns the commands that send traces of the user's own agent to this endpoint. */
export function pointingLines(endpoint: string): string {
  return `Point an agent at it:

  LangGraph (Python)
    pip install openinference-instrumentation-langchain opentelemetry-sdk opentelemetry-exporter-otlp
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from openinference.instrumentation.langchain import LangChainInstrumentor
    provider = TracerProvider()
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    LangChainInstrumentor().instrument(tracer_provider=provider)

  OpenAI Agents SDK (Python)
    pip install openinference-instrumentation-openai-agents opentelemetry-sdk opentelemetry-exporter-otlp
    … the same provider, then
    from openinference.instrumentation.openai_agents import OpenAIAgentsInstrumentor
    OpenAIAgentsInstrumentor().instrument(tracer_provider=provider)

  Vercel AI SDK (JavaScript, TypeScript)
    npm install @opentelemetry/api @opentelemetry/sdk-node
    import { NodeSDK } from "@opentelemetry/sdk-node";
    const sdk = new NodeSDK();
    sdk.start();
    … generateText({ …, experimental_telemetry: { isEnabled: true, functionId: "my-agent" } });
    await sdk.shutdown(); // at the end: sends the last spans
    Version 7, on Node 22 or newer: also npm install @ai-sdk/otel, and
    import { registerTelemetry } from "ai";
    import { OpenTelemetry } from "@ai-sdk/otel";
    registerTelemetry(new OpenTelemetry());
    … generateText({ …, telemetry: { functionId: "my-agent" } });

  Others: docs/agents/README.md

  and start it with
    OTEL_EXPORTER_OTLP_ENDPOINT=${endpoint} python agent.py        (or: node agent.js)
`;
}
