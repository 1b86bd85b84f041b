import { expect, it } from "vitest";
import { document, span } from "../support/otlp.ts";
import { replayed } from "../support/replayed.ts";

async function toolOf(result: string) {
  const [run] = await replayed(
    document([
      span("r", undefined, "invoke_agent gauger", 0, 9, { "gen_ai.operation.name": "invoke_agent" }),
      span("t", "r", "execute_tool gauge", 1, 5, {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "gauge",
        "gen_ai.tool.call.result": result,
      }),
    ]),
  );
  return run?.tools.map(({ result: returned, error }) => ({ returned, error }));
}

it("a result that was printed with how the call ended is the result alone", async () => {
  expect(await toolOf("status='success' result='3.1' error=None files=None")).toEqual([
    { returned: "3.1", error: null },
  ]);
  const failed = await toolOf("status='failure' result=None error='no such gauge' files=None");
  expect(failed?.[0]?.error).toBe("no such gauge");
});

it("the same keys in JSON are the tool's own words", async () => {
  const own = '{"status":"success","result":"3.1","error":null}';
  const [tool] = (await toolOf(own)) ?? [];
  expect(
    JSON.parse(typeof tool?.returned === "string" ? tool.returned : JSON.stringify(tool?.returned)),
  ).toEqual(JSON.parse(own));
});
