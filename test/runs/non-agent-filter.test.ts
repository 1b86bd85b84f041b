import { describe, expect, it } from "vitest";
import { document, span } from "../support/otlp.ts";
import { runsIn } from "../support/runs.ts";

const http = { "http.request.method": "GET", "http.route": "/cart", "url.scheme": "http" };
const requests = ["a", "b", "c", "d", "e"].map((id, at) =>
  span(id, at === 0 ? undefined : "a", "GET /cart", at, 100 - at, http),
);

describe("traces of requests and queries", () => {
  it("hold no run, however many spans they have", () => {
    expect(runsIn([document(requests)])).toEqual([]);
  });

  it("hold one where a single span among them is an agent's, by an attribute, its name or its scope", () => {
    const byAttribute = span("f", "e", "work", 10, 20, { "gen_ai.operation.name": "invoke_agent" });
    const byName = span("f", "e", "invoke_agent planner", 10, 20, http);
    for (const one of [byAttribute, byName]) expect(runsIn([document([...requests, one])])).toHaveLength(1);
    const chat = span("f", "e", "chat gpt-4o", 10, 20, {
      "gen_ai.request.model": "gpt-4o",
      "gen_ai.usage.input_tokens": 3,
    });
    expect(runsIn([document([...requests, chat])])).toHaveLength(1);
  });

  it("hold one where a failing application's own span is all there is", () => {
    const failed = span("a", undefined, "handle", 0, 5, http, { status: { code: 2 } });
    expect(runsIn([document([failed])]).map(({ status }) => status)).toEqual(["error"]);
  });
});
