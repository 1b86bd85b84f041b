import { expect, test } from "vitest";
import { asJson, asProtobuf } from "../long/runs/records.ts";
import { replayedRuns } from "../long/runs/assemble.ts";
import { document, log, span } from "../support/otlp.ts";

const resource = { attributes: [{ key: "service.name", value: { stringValue: "shop" } }] };
const chat = { "gen_ai.operation.name": "chat", "gen_ai.request.model": "gpt-x" };
const spans = { signal: "traces", document: document([span("a", undefined, "chat", 0, 9, chat)]) } as const;

/** A message of the span that carries no id of it: it is found by its time and instrumentation. */
function logs() {
  const { traceId: _, spanId: __, ...record } = log("a", "gen_ai.user.message", { content: "Hello?" }, {}, 5);
  const scopeLogs = [{ scope: { name: "test" }, logRecords: [record] }];
  return { signal: "logs", document: { resourceLogs: [{ resource, scopeLogs }] } } as const;
}

test("a log record without a trace that comes twice is one message, also once in each encoding", () => {
  for (const bodies of [
    [asJson(spans), asJson(logs())],
    [asJson(spans), asJson(logs()), asJson(logs())],
    [asProtobuf(logs()), asJson(spans), asJson(logs())],
  ]) {
    const [run] = replayedRuns(bodies);
    expect(run?.messages.map(({ role, text }) => [role, text])).toEqual([["user", "Hello?"]]);
  }
});
