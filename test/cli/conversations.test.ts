import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { completion, modelServer } from "../judge/support/model-server.ts";
import { document, span } from "../support/otlp.ts";
import { cli } from "../support/run-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder();

beforeAll(() => {
  writeFileSync(
    join(folder, "dump.jsonl"),
    [
      turn("b", "Cancel it.", "It is cancelled.", 60_000),
      turn("a", "Where is order 7?", "On its way.", 0),
    ].join("\n"),
  );
});

function turn(trace: string, question: string, answer: string, start: number): string {
  const said = (role: string, content: string): string =>
    JSON.stringify([{ role, parts: [{ type: "text", content }] }]);
  const root = span(
    `root-${trace}`,
    undefined,
    "invoke_agent shop-agent",
    start,
    start + 100,
    {
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": "shop-agent",
      "gen_ai.conversation.id": "chat-1",
      "gen_ai.input.messages": said("user", question),
      "gen_ai.output.messages": said("assistant", answer),
    },
    { trace },
  );
  return JSON.stringify(document([root]));
}

interface Result {
  readonly summary: { readonly runs: number; readonly total: number; readonly exit_code: number };
  readonly verdicts: readonly {
    readonly query_id: string;
    readonly run_id: string;
    readonly turn_run_ids?: readonly string[];
    readonly outcome: string;
    readonly layers: {
      readonly correctness: {
        readonly checks: readonly { readonly turn?: number; readonly outcome: string }[];
      };
    };
  }[];
  readonly unmatched: readonly unknown[];
}

async function tested(spec: string, ...flags: readonly string[]): Promise<Result> {
  const file = join(folder, "spec.yaml");
  writeFileSync(file, spec);
  const { stdout } = await cli`test ${join(folder, "dump.jsonl")} --spec ${file} --format json ${flags}`;
  return JSON.parse(stdout) as Result;
}

const spec = `agent: shop-agent
queries:
  - id: cancel
    query: Where is order 7?
    scope: conversation
    correctness: { expected_in_answer: [cancelled] }
    turns:
      - { query: Where is order 7?, correctness: { expected_in_answer: [way] } }
      - { query: Cancel it, correctness: { not_in_answer: [sorry] } }
`;

describe("test with a spec about conversations", () => {
  test("judges the runs that share a conversation id together, whatever their order in the dump", async () => {
    const result = await tested(spec);
    const [verdict] = result.verdicts;

    expect(result.summary).toMatchObject({ runs: 2, total: 1, exit_code: 0 });
    expect(verdict).toMatchObject({ query_id: "cancel", outcome: "pass" });
    expect(verdict?.turn_run_ids?.[0]).toBe(verdict?.run_id);
    expect(verdict?.turn_run_ids).toHaveLength(2);
    expect(verdict?.layers.correctness.checks.map(({ turn: at = 0 }) => at).slice(1)).toEqual([0, 1, 2]);
    expect(result.unmatched).toEqual([]);
  });

  test("a pause longer than assemble.conversation_idle parts two conversations", async () => {
    const result = await tested(spec, "--set", "assemble.conversation_idle=30s");

    expect(result.verdicts.map(({ outcome }) => outcome)).toEqual(["fail"]);
    expect(result.unmatched).toHaveLength(1);
  });

  test("goal accuracy judges all turns at once", async () => {
    const server = await modelServer(() => completion({ achieved: true, rationale: "It is cancelled." }));
    const file = join(folder, "judges.yaml");
    writeFileSync(file, `judge: { providers: { local: { kind: openai, base_url: "${server.url}/v1" } } }`);
    const result = await tested(
      `agent: shop-agent
judge_config: { model: local/judge }
queries:
  - id: cancel
    query: Where is order 7?
    scope: conversation
    correctness: { goal_accuracy: order 7 is cancelled }
`,
      "--config",
      file,
    );
    const asked = JSON.stringify(server.received[0]?.body);

    expect(result.verdicts.map(({ outcome }) => outcome)).toEqual(["pass"]);
    expect(server.received).toHaveLength(1);
    for (const text of ["Where is order 7?", "On its way.", "Cancel it.", "It is cancelled."])
      expect(asked).toContain(text);
  });
});
