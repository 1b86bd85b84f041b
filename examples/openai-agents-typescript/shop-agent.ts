// A shop's assistant, built with the OpenAI Agents SDK. REAL_MODEL=gpt-4o-mini with OPENAI_API_KEY uses a real model.
import { OpenAIAgentsInstrumentation } from "@arizeai/openinference-instrumentation-openai-agents";
import * as agents from "@openai/agents";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { detectResources, envDetector } from "@opentelemetry/resources";
import { BatchSpanProcessor, NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
import OpenAI from "openai";
import { z } from "zod";
import { startScriptedModel } from "./scripted-model.ts";

// Spans go to OTEL_EXPORTER_OTLP_ENDPOINT.
const provider = new NodeTracerProvider({
  resource: detectResources({ detectors: [envDetector] }), // OTEL_RESOURCE_ATTRIBUTES
  spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
});
provider.register();
new OpenAIAgentsInstrumentation({ tracerProvider: provider }).manuallyInstrument(agents);
// The SDK disables tracing if NODE_ENV is "test", as in vitest.
agents.setTracingDisabled(false);

const parameters = z.object({ number: z.string() });

const findOrder = agents.tool({
  name: "find_order",
  description: "Where an order is.",
  parameters,
  execute: ({ number }) => `order ${number} is in Lyon and arrives on Friday.`,
});

const refundOrder = agents.tool({
  name: "refund_order",
  description: "Gives the money for an order back.",
  parameters,
  execute: ({ number }) => `order ${number} is refunded.`,
});

const realModel = process.env["REAL_MODEL"];
const client =
  realModel === undefined
    ? new OpenAI({ baseURL: await startScriptedModel(), apiKey: "none" })
    : new OpenAI();

const shop = new agents.Agent({
  name: "shop",
  instructions: "You answer questions of a shop's customers. Refund nothing unless you are asked to.",
  model: new agents.OpenAIChatCompletionsModel(client, realModel ?? "gpt-4o-mini"),
  tools: [findOrder, refundOrder],
});

/** The earlier messages of the conversation. */
export type History = readonly { role: "user" | "assistant"; content: string }[];

export async function ask(query: string, history: History = []): Promise<string> {
  const said = history.map(({ role, content }) =>
    role === "user" ? agents.user(content) : agents.assistant(content),
  );
  const { finalOutput } = await agents.run(shop, [...said, agents.user(query)]);
  await provider.forceFlush();
  return finalOutput ?? "";
}
