import { describe, expect, it } from "vitest";
import { agentAttributes, chatAttributes, tokenCounts } from "../support/genai.ts";
import { document, span } from "../support/otlp.ts";
import { runsIn } from "../support/runs.ts";

const answer = JSON.stringify([{ role: "assistant", parts: [{ type: "text", content: "Rain." }] }]);
const question = JSON.stringify([{ role: "user", parts: [{ type: "text", content: "Weather?" }] }]);

function invoke(id: string, parent: string | undefined, start: number, end: number) {
  return span(id, parent, "invoke_agent sky", start, end, agentAttributes("sky"));
}

function chat(id: string, parent: string, start: number, end: number) {
  return span(id, parent, "chat small", start, end, {
    ...chatAttributes("small"),
    ...tokenCounts(9, 2),
    "gen_ai.input.messages": question,
    "gen_ai.output.messages": answer,
  });
}

describe("an agent called from afar", () => {
  it("is a run of its own when the first one did its own work", () => {
    const first = document([span("h", undefined, "POST /ask", 0, 200), invoke("a", "h", 1, 99)]);
    const work = document([chat("d", "a", 2, 9), invoke("b", "lost", 10, 90), chat("c", "b", 11, 80)]);
    expect(runsIn([first, work])).toHaveLength(2);
  });
});
