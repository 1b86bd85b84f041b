// A small shop assistant for the tutorial. A few rules replace the model, so the agent needs no key and always gives the same answers.
// The agent creates its spans by hand, with GenAI attributes; the instrumentation of a framework creates such spans automatically.
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
  // The question is not about the shop. A good agent declines at once.
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

/** Creates a span around `run`, as a child of the current span. */
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

/** Reads OTEL_RESOURCE_ATTRIBUTES, as NodeSDK does. */
function resourceAttributes() {
  const pairs = (process.env.OTEL_RESOURCE_ATTRIBUTES ?? "").split(",").filter(Boolean);
  return Object.fromEntries(pairs.map((pair) => pair.split("=").map(decodeURIComponent)));
}
