// Writes a month of runs of a shop's agent as OTLP/JSON, one request on each line: ten runs a day, at the same times each day. From 17
// November, the runs are of version 2.1, which uses another tool and often finds nothing; from 24 November, users also ask for refunds.
import { createHash } from "node:crypto";

const start = Date.UTC(2026, 10, 1);
const hex = (text, length) => createHash("sha256").update(text).digest("hex").slice(0, length);
const nanos = (seconds) => BigInt(Math.round(seconds * 1e9));
const share = (text) => Number.parseInt(hex(text, 8), 16) / 2 ** 32;
const texts = (role, content) => JSON.stringify([{ role, parts: [{ type: "text", content }] }]);

function attribute([key, value]) {
  return { key, value: typeof value === "number" ? { intValue: String(value) } : { stringValue: value } };
}

for (let at = 0; at < 300; at++) {
  const day = Math.floor(at / 10);
  const isNew = day >= 16;
  const isRefund = day >= 23 && at % 5 === 0;
  const question = isRefund ? "I want my money back." : "Where is my parcel?";
  const answer =
    share(`answer ${at}`) < (isNew ? 0.45 : 0.05) ? "Sorry, I can not find it." : "It is on its way.";
  const begin = BigInt(start + day * 86_400_000 + (8 + (at % 10)) * 3_600_000) * 1_000_000n;
  const traceId = hex(`trace ${at}`, 32);
  const span = (name, parent, from, seconds, attributes) => ({
    traceId,
    spanId: hex(`${name} ${at}`, 16),
    ...(parent === null ? {} : { parentSpanId: hex(`${parent} ${at}`, 16) }),
    name,
    kind: 1,
    startTimeUnixNano: String(begin + nanos(from)),
    endTimeUnixNano: String(begin + nanos(from + seconds)),
    attributes: Object.entries(attributes).map(attribute),
  });
  const agent = "invoke_agent shop";
  const chat = (id, from, input, output) => ({
    ...span("chat gpt-4o-mini", agent, from, 0.4, {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "openai",
      "gen_ai.request.model": "gpt-4o-mini",
      "gen_ai.usage.input_tokens": input,
      "gen_ai.usage.output_tokens": output,
    }),
    spanId: hex(`${id} ${at}`, 16),
  });
  const tool = isRefund ? "issue_refund" : isNew ? "search_orders" : "find_order";
  const spans = [
    span(agent, null, 0, 2 + share(`time ${at}`), {
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": "shop",
      "gen_ai.input.messages": texts("user", question),
      "gen_ai.output.messages": texts("assistant", answer),
    }),
    chat("ask", 0, 400, 12),
    span(`execute_tool ${tool}`, agent, 0.4, 0.5, {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": tool,
    }),
    chat("answer", 1, 700 + Math.round(100 * share(`tokens ${at}`)), 40),
  ];
  const resource = {
    attributes: Object.entries({ "service.name": "shop", "service.version": isNew ? "2.1" : "2.0" }).map(
      attribute,
    ),
  };
  console.log(
    JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ scope: { name: "shop" }, spans }] }] }),
  );
}
