import { expect, test } from "vitest";
import { document, span } from "../support/otlp.ts";
import { replayed } from "../support/replayed.ts";

type Attributes = Record<string, string>;

async function offered(
  agent: Attributes,
  call: Attributes,
  tool?: string,
): Promise<readonly string[] | null | undefined> {
  const spans = [
    span("r", undefined, "invoke_agent clerk", 0, 90, {
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": "clerk",
      ...agent,
    }),
    span("a", "r", "chat gpt-x", 1, 10, {
      "gen_ai.operation.name": "chat",
      "gen_ai.request.model": "gpt-x",
      "gen_ai.usage.output_tokens": "5",
      ...call,
    }),
  ];
  if (tool !== undefined) {
    const named = { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": tool };
    spans.push(span("t", "r", `execute_tool ${tool}`, 11, 12, named));
  }
  const [run] = await replayed(document(spans));
  return run?.handoffsAvailable;
}

const named = (...names: string[]): object[] => names.map((name) => ({ type: "function", name }));
const definitions = (list: unknown): Attributes => ({ "gen_ai.tool.definitions": JSON.stringify(list) });

test.each([
  ["at the top", named("lookup", "transfer_to_billing", "transfer_to_clerk_two")],
  [
    "in a function",
    named("transfer_to_billing", "transfer_to_clerk_two").map((one) => ({ type: "function", function: one })),
  ],
])("transfer tools that a model was given are hand-offs on offer: the name %s", async (_, list) => {
  expect(await offered({}, definitions(list))).toEqual(["billing", "clerk_two"]);
});

test("what a producer lists is on offer, also when it is nothing", async () => {
  const scope = { "logfire.msg": "clerk run" };
  expect(await offered({ ...scope, handoffs: '["Billing Agent"]' }, {})).toEqual(["Billing Agent"]);
  expect(await offered({ ...scope, handoffs: "[]" }, {})).toEqual([]);
});

test("whoever was handed over to was on offer, and is named as it calls itself", async () => {
  const list = named("transfer_to_billing", "transfer_to_returns");
  expect(await offered({}, definitions(list), "transfer_to_billing")).toEqual(["billing", "returns"]);
});

test("tools without a transfer tell nothing: many frameworks hand over without one", async () => {
  expect(await offered({}, definitions(named("lookup")))).toBeNull();
  expect(await offered({}, {})).toBeNull();
});

test("a transfer back offers nobody new", async () => {
  expect(await offered({}, definitions(named("transfer_back_to_supervisor")))).toBeNull();
});
