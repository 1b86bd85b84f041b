import { expect, test } from "vitest";
import { runJson } from "../../src/report/json/run-json.ts";
import { runsIn } from "../support/runs.ts";
import { onSmallStack, TOO_DEEP } from "../support/small-stack.ts";
import { agentAttributes, chatAttributes, toolAttributes } from "../support/genai.ts";

interface Kind {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
}

const kinds: Readonly<Record<string, (at: number) => Kind>> = {
  agents: (at) => ({
    name: `invoke_agent a${at}`,
    attributes: agentAttributes(`a${at}`),
  }),
  calls: () => ({
    name: "chat m",
    attributes: chatAttributes("m"),
  }),
  tools: (at) => ({
    name: `execute_tool t${at % 3}`,
    attributes: toolAttributes(`t${at % 3}`),
  }),
};

function chain(kind: (at: number) => Kind): object {
  const spans = Array.from({ length: TOO_DEEP }, (_, at) => {
    const { name, attributes } = kind(at);
    return {
      traceId: "1".padStart(32, "0"),
      spanId: (at + 1).toString(16).padStart(16, "0"),
      ...(at === 0 ? {} : { parentSpanId: at.toString(16).padStart(16, "0") }),
      name,
      kind: 1,
      startTimeUnixNano: `${1_700_000_000_000 + at}000000`,
      endTimeUnixNano: `${1_700_000_900_000 - at}000000`,
      attributes: Object.entries(attributes).map(([key, stringValue]) => ({ key, value: { stringValue } })),
    };
  });
  return { resourceSpans: [{ resource: {}, scopeSpans: [{ scope: { name: "deep" }, spans }] }] };
}

test.each(Object.entries(kinds))("%s within each other are read however deep they lie", (_, kind) => {
  const runs = onSmallStack(() => runsIn([chain(kind)]).map((run) => runJson(run, true)));
  expect(runs).toMatchObject([{ trace_id: "1".padStart(32, "0") }]);
});
