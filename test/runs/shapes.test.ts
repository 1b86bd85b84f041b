import { expect, test } from "vitest";
import { runJson } from "../../src/report/json/run-json.ts";
import { type Attributes, document, hex, span } from "../support/otlp.ts";
import { runsIn } from "../support/runs.ts";
import { onSmallStack, TOO_DEEP } from "../support/small-stack.ts";
import { agentAttributes, chatAttributes, toolAttributes } from "../support/genai.ts";

type Kind = (at: number) => readonly [name: string, attributes: Attributes];

const kinds: Readonly<Record<string, Kind>> = {
  agents: (at) => [`invoke_agent a${at}`, agentAttributes(`a${at}`)],
  calls: () => ["chat m", chatAttributes("m")],
  tools: (at) => [`execute_tool t${at % 3}`, toolAttributes(`t${at % 3}`)],
};

function chain(kind: Kind): object {
  const spans = Array.from({ length: TOO_DEEP }, (_, at) => {
    const [name, attributes] = kind(at);
    return span(`${at}`, at === 0 ? undefined : `${at - 1}`, name, at, 900_000 - at, attributes);
  });
  return document(spans);
}

test.each(Object.entries(kinds))("%s within each other are read however deep they lie", (_, kind) => {
  const runs = onSmallStack(() => runsIn([chain(kind)]).map((run) => runJson(run, true)));
  expect(runs).toMatchObject([{ trace_id: hex("t", 32) }]);
});
