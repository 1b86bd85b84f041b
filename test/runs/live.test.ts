import { describe, expect, it } from "vitest";
import { runJson } from "../../src/report/json/run-json.ts";
import type { AgentRun } from "../../src/model/run.ts";
import { liveRuns, replayedRuns } from "../long/runs/assemble.ts";
import type { Body } from "../long/runs/records.ts";
import { agentAttributes, chatAttributes, toolAttributes } from "../support/genai.ts";
import { document, span } from "../support/otlp.ts";
import { otel, type Said, says, Story, user } from "../support/talk.ts";

function bodyOf(spans: readonly Record<string, unknown>[]): Body {
  return {
    bytes: new TextEncoder().encode(JSON.stringify(document(spans))),
    signal: "traces",
    encoding: "json",
  };
}

function comparable(run: AgentRun): unknown {
  const { close_reason: _, ...rest } = runJson(run, true);
  return rest;
}

const talk = new Story(otel);
const history: Said[] = [];
talk.around(undefined, "invoke_workflow chat", { "gen_ai.operation.name": "invoke_workflow" }, (parent) => {
  for (const n of [1, 2, 3]) {
    const uses = { call: { id: `c${n}`, name: "gauge", arguments: { day: `${n}` } }, result: `${n}.5` };
    const turn = { asked: `How high on day ${n}?`, uses, answer: `It was at ${n}.5 metres.` };
    talk.agent(parent, "watcher", (id) => talk.turn(id, history, turn));
  }
});

const task = user("Write a sentence about rivers.");
const draft = "Rivers rise in spring, when the snow of the mountains melts.";
const chain = new Story(otel);
chain.around(undefined, "POST /write", {}, (parent) => {
  chain.agent(parent, "writer", (id) => chain.chat(id, [task], says(draft)));
  chain.agent(parent, "critic", (id) => chain.chat(id, [task, user(draft)], says("Well said.")));
});

const agent = agentAttributes("watcher");
const chat = {
  ...chatAttributes("small"),
  "gen_ai.usage.input_tokens": 9,
};
const tool = toolAttributes("gauge");
const apart = [
  span("x", undefined, "execute_tool gauge", 10, 14, tool, { trace: "u" }),
  span("a", "r", "chat small", 1, 8, { ...chat, "gen_ai.response.finish_reasons": ["tool_calls"] }),
  span("b", "r", "chat small", 20, 28, { ...chat, "gen_ai.response.finish_reasons": ["stop"] }),
  span("r", undefined, "invoke_agent watcher", 0, 30, agent),
];

const dumps = {
  "three turns in one trace": talk.spans,
  "a chain of agents": chain.spans,
  "a tool apart": apart,
};

describe.each(Object.entries(dumps))("%s", (_, spans) => {
  const expected = replayedRuns([bodyOf(spans)]).map(comparable);

  it.each([
    ["as they ended", spans],
    ["in the other order", [...spans].reverse()],
  ])("gives the same runs to serve and to a replay, spans %s", (__, ordered) => {
    const arrivals = ordered.map((one, at) => ({ body: bodyOf([one]), atMs: 300 * at }));
    expect(liveRuns(arrivals).map(comparable)).toEqual(expected);
    expect(replayedRuns(ordered.map((one) => bodyOf([one]))).map(comparable)).toEqual(expected);
  });
});
