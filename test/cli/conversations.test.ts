import { join } from "node:path";
import { expect, test } from "vitest";
import { resultSchema } from "../../src/report/json/verdict-schema.ts";
import { completion, modelServer } from "../judge/support/model-server.ts";
import { recordedDump } from "../support/recorded-run.ts";
import { cli } from "../support/run-cli.ts";
import { temporaryFile, temporaryFolder } from "../support/temporary-folder.ts";

const attributes = { "gen_ai.conversation.id": "chat-1" };
/** A minute lies between the two turns, of which the later one stands first. */
const dump = temporaryFile(
  "dump.jsonl",
  recordedDump(
    { trace: "b", query: "Cancel it.", answer: "It is cancelled.", at: 60_000, attributes },
    { trace: "a", query: "Where is order 7?", answer: "On its way.", attributes },
  ),
);

async function tested(correctness: string, head: string, ...flags: readonly string[]) {
  const query = `{ query: Where is order 7?, scope: conversation, correctness: { ${correctness} } }`;
  const spec = temporaryFile("spec.yaml", `agent: shop\n${head}queries: [${query}]\n`);
  return resultSchema.parse(
    JSON.parse((await cli`test ${dump} --spec ${spec} --format json ${flags}`).stdout),
  );
}

test("a pause longer than assemble.conversation_idle parts two conversations", async () => {
  const whole = await tested("expected_in_answer: [cancelled]", "");
  expect(whole.verdicts.map(({ outcome }) => outcome)).toEqual(["pass"]);
  expect(whole.unmatched).toEqual([]);
  const idle = ["--set", "assemble.conversation_idle=30s"];
  const parted = await tested("expected_in_answer: [cancelled]", "", ...idle);
  expect(parted.verdicts.map(({ outcome }) => outcome)).toEqual(["fail"]);
  expect(parted.unmatched).toHaveLength(1);
});

test("goal accuracy judges all turns at once, in their order", async () => {
  const server = await modelServer(() => completion({ achieved: true, rationale: "It is cancelled." }));
  const set = [
    `judge.providers={ local: { kind: openai, base_url: "${server.url}/v1" } }`,
    `judge.cache=${join(temporaryFolder(), "cache.jsonl")}`,
  ].flatMap((one) => ["--set", one]);
  const head = "judge_config: { model: local/judge }\n";
  const { verdicts } = await tested("goal_accuracy: order 7 is cancelled", head, ...set);

  expect(verdicts.map(({ outcome }) => outcome)).toEqual(["pass"]);
  expect(server.received).toHaveLength(1);
  expect(JSON.stringify(server.received[0]?.body)).toMatch(
    /Where is order 7\?.*On its way\..*Cancel it\..*It is cancelled\./,
  );
});
