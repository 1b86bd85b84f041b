// A shop's assistant, built with LangGraph. REAL_MODEL=gpt-4o-mini with OPENAI_API_KEY uses a real model.
import { LangChainInstrumentation } from "@arizeai/openinference-instrumentation-langchain";
import * as callbacks from "@langchain/core/callbacks/manager";
import { ChatOpenAI } from "@langchain/openai";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { detectResources, envDetector } from "@opentelemetry/resources";
import { BatchSpanProcessor, NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
import { createAgent, tool } from "langchain";
import { z } from "zod";
import { startScriptedModel } from "./scripted-model.ts";

// Spans go to OTEL_EXPORTER_OTLP_ENDPOINT.
const provider = new NodeTracerProvider({
  resource: detectResources({ detectors: [envDetector] }), // OTEL_RESOURCE_ATTRIBUTES
  spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
});
provider.register();
new LangChainInstrumentation({ tracerProvider: provider }).manuallyInstrument(callbacks);

const number = z.object({ number: z.string() });

const findOrder = tool(({ number }) => `order ${number} is in Lyon and arrives on Friday.`, {
  name: "find_order",
  description: "Where an order is.",
  schema: number,
});

const refundOrder = tool(({ number }) => `order ${number} is refunded.`, {
  name: "refund_order",
  description: "Gives the money for an order back.",
  schema: number,
});

const realModel = process.env["REAL_MODEL"];
const model =
  realModel === undefined
    ? new ChatOpenAI({
        model: "gpt-4o-mini",
        apiKey: "none",
        configuration: { baseURL: await startScriptedModel() },
      })
    : new ChatOpenAI({ model: realModel });

const agent = createAgent({
  model,
  tools: [findOrder, refundOrder],
  systemPrompt: "You answer questions of a shop's customers. Refund nothing unless you are asked to.",
  name: "shop",
});

/** The earlier messages of the conversation. */
export type History = readonly { role: "user" | "assistant"; content: string }[];

export async function ask(query: string, history: History = []): Promise<string> {
  const { messages } = await agent.invoke({
    messages: [...history, { role: "user", content: query }],
  });
  await provider.forceFlush();
  return String(messages.at(-1)?.content);
}
