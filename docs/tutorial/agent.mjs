// A small shop assistant for the tutorial: the model is a few rules, so that it needs no key and always answers alike. It is
// instrumented by hand with the OpenTelemetry SDK and GenAI attributes; a framework's instrumentation does the same by itself.
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { BasicTracerProvider, BatchSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { context, trace } from "@opentelemetry/api";

const question = process.argv[2] ?? "";
const resource = resourceFromAttributes({ "service.name": "shop-assistant", ...resourceAttributes() });
const spanProcessors = [new BatchSpanProcessor(new OTLPTraceExporter())];
const provider = new BasicTracerProvider({ resource, spanProcessors });
const tracer = provider.getTracer("shop-assistant");

const answer = step("invoke_agent shop-assistant", agentAttributes(), (run) => {
  const said = assist(question);
  run.setAttribute("gen_ai.output.messages", messages("assistant", said));
  return said;
});
await provider.forceFlush();
console.log(answer);

function assist(text) {
  if (text.includes("order")) {
    model(text);
    const order = tool("find_order", { id: 7 }, () => "shipped, arrives on Friday");
    model(text);
    return `Your order is ${order}.`;
  }
  // Whatever is not about the shop: it should say so at once.
  const tries = 3;
  let found = "";
  model(text);
  for (let at = 0; at < tries && found === ""; at++) {
    found = tool("web_search", { query: text }, () => "");
    model(text);
  }
  return "I can only help with orders of our shop.";
}

function model(text) {
  const usage = { "gen_ai.usage.input_tokens": 200 + text.length, "gen_ai.usage.output_tokens": 20 };
  step("chat gpt-5-mini", {
    "gen_ai.operation.name": "chat",
    "gen_ai.request.model": "gpt-5-mini",
    ...usage,
  });
}

function tool(name, input, run) {
  const attributes = {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": name,
    "gen_ai.tool.call.arguments": JSON.stringify(input),
  };
  return step(`execute_tool ${name}`, attributes, run);
}

/** A span around what `run` does, below the one it is called in. */
function step(name, attributes, run = () => undefined) {
  const span = tracer.startSpan(name, { attributes }, step.within ?? context.active());
  const outer = step.within;
  step.within = trace.setSpan(context.active(), span);
  try {
    return run(span);
  } finally {
    step.within = outer;
    span.end();
  }
}

function agentAttributes() {
  return {
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.agent.name": "shop-assistant",
    "gen_ai.provider.name": "openai",
    "gen_ai.input.messages": messages("user", question),
  };
}

function messages(role, content) {
  return JSON.stringify([{ role, parts: [{ type: "text", content }] }]);
}

/** What OTEL_RESOURCE_ATTRIBUTES says; the whole SDK (NodeSDK) reads it by itself. */
function resourceAttributes() {
  const pairs = (process.env.OTEL_RESOURCE_ATTRIBUTES ?? "").split(",").filter(Boolean);
  return Object.fromEntries(pairs.map((pair) => pair.split("=").map(decodeURIComponent)));
}
