import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { type CollectionTag, parse, type ScalarTag } from "yaml";
import { isObject, type JsonValue } from "../../src/model/json.ts";
import { completion } from "../judge/support/model-server.ts";
import type { DumpedRun } from "../support/agent-dump.ts";
import { type Answer, type Bench, checksOf, matches, type Proof, type Section } from "./harness.ts";

/** One command of a proof, and what has to hold of it. All keys that are not named here are fields of `Judged`. */
interface Case {
  /** For `test`: the blocks of a query `"*"` and keys of the root beside it, or a whole spec. */
  readonly spec?: Blocks;
  /** The same for `validate`, which prints these texts. */
  readonly validate?: Blocks;
  readonly texts?: readonly string[];
  /** The same as `spec` for `report`. */
  readonly report?: Blocks;
  /** One run of usual values unless given. */
  readonly runs?: WrittenRun | readonly WrittenRun[];
  /** Further words of the command; `{folder}` is the folder of the case. */
  readonly words?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Files of the folder; `{server}` is the address of the model server. */
  readonly files?: Readonly<Record<string, string>>;
  /** Replies of a model, the last of which repeats: a text, an object, or a status of HTTP. */
  readonly judge?: readonly JsonValue[];
  /** Score by model. */
  readonly scores?: Readonly<Record<string, number>>;
  /** Score of each criterion by its id; null: does not apply. */
  readonly criteria?: Readonly<Record<string, number | null>>;
  /** Outcomes of a check, one word for each run; `absent` if a verdict does not have it. */
  readonly outcomes?: Readonly<Record<string, string>>;
  /** Comparisons of a metric between two groups, among all of `report`. */
  readonly comparisons?: readonly { readonly b: string; readonly metric: string }[];
  /** Number of requests that the model received. */
  readonly asked?: number;
  /** The bodies of these requests, as JSON. */
  readonly requests?: string;
  /** The models that they name. */
  readonly models?: string;
}

type Blocks = Readonly<Record<string, unknown>>;

/** A run that occurs so many times, in a version of the service. */
interface WrittenRun extends DumpedRun {
  readonly times?: number;
  readonly version?: string;
}

function runsOf(written: WrittenRun | readonly WrittenRun[]): readonly DumpedRun[] {
  return ([written].flat() as readonly WrittenRun[]).flatMap(({ times = 1, version, ...run }) => {
    const resource = version === undefined ? {} : { resource: { "service.version": version } };
    return Array.from({ length: times }, () => ({ ...run, ...resource }));
  });
}

/** `!about 2/3` is a number, `!text` a regular expression of a text, `!number` any number, `!holds` a list with such an object. */
const customTags: (ScalarTag | CollectionTag)[] = [
  {
    tag: "!about",
    resolve: (text) => {
      const [above = NaN, below = 1] = text.split("/").map(Number);
      return expect.closeTo(above / below, 12);
    },
  },
  { tag: "!text", resolve: (text) => expect.stringMatching(new RegExp(text, "ms")) },
  {
    tag: "!holds",
    collection: "map",
    resolve: (map) => expect.arrayContaining([expect.objectContaining(map.toJSON() as object)]),
  },
  { tag: "!number", resolve: () => expect.any(Number) },
];

const rootKeys = new Set(["preset", "judge_config", "defaults"]);

function specOf(blocks: Blocks): string {
  if ("version" in blocks) return JSON.stringify(blocks);
  const entries = Object.entries(blocks);
  const root = Object.fromEntries(entries.filter(([key]) => rootKeys.has(key)));
  const query = Object.fromEntries(entries.filter(([key]) => !rootKeys.has(key)));
  return JSON.stringify({ version: 1, agent: "*", ...root, queries: [{ query: "*", id: "any", ...query }] });
}

function answerOf({ judge, scores, criteria }: Case): Answer | undefined {
  if (scores !== undefined) {
    return ({ body }) => {
      const score = scores[body.model] ?? 1;
      return completion({ score, label: score >= 4 ? "pass" : "fail", rationale: `because ${score}` });
    };
  }
  if (criteria !== undefined) {
    const scored = Object.entries(criteria).map(([id, score]) => {
      return { id, reason: "r", applicable: score !== null, score };
    });
    return () => completion({ rationale: "r", criteria: scored });
  }
  if (judge === undefined) return undefined;
  return (_, n) => {
    const reply = judge[Math.min(n, judge.length - 1)];
    if (!isObject(reply) || typeof reply["status"] !== "number") return completion(reply);
    const headers = { ...(reply["headers"] as Record<string, string> | undefined) };
    return { status: reply["status"], headers, body: { error: { message: "no" } } };
  };
}

async function prove(one: Case, bench: Bench): Promise<void> {
  const { spec, validate, report, texts = [], words = "", env, files = {}, comparisons, ...others } = one;
  const {
    runs = {},
    judge: _,
    scores: _scores,
    criteria: _criteria,
    outcomes = {},
    models,
    ...expected
  } = others;
  if (validate !== undefined) {
    const ran = await bench.validate(specOf(validate));
    matches(ran, expected);
    for (const text of texts) expect(ran.stdout + ran.stderr).toContain(text);
    return;
  }
  const answer = answerOf(one);
  const server = answer === undefined ? undefined : await bench.judge(answer);
  if (env !== undefined) bench.env = env;
  for (const [name, text] of Object.entries(files)) {
    bench.file(name, text.replace("{server}", server?.url ?? ""));
  }
  const more = words
    .replace("{folder}", bench.folder)
    .split(" ")
    .filter((word) => word !== "");
  if (report !== undefined) {
    const { across, ...reported } = await bench.report(specOf(report), runsOf(runs), ...more);
    matches({ ...reported, across }, expected);
    for (const wanted of comparisons ?? []) {
      const isSame = (found: typeof wanted) => found.b === wanted.b && found.metric === wanted.metric;
      matches(across.comparisons.find(isSame), wanted);
    }
    return;
  }
  const judged = await bench.test(specOf(spec ?? {}), runsOf(runs), ...more);
  const bodies = (server?.received ?? []).map(({ body }) => body);
  const requests = bodies.map((body) => JSON.stringify(body)).join("\n");
  matches({ ...judged, asked: bodies.length, requests }, expected);
  for (const [check, wanted] of Object.entries(outcomes)) {
    const found = judged.result.verdicts.map((verdict) => checksOf(verdict)[check]?.outcome ?? "absent");
    expect({ check, outcomes: found.join(" ") }).toEqual({ check, outcomes: wanted });
  }
  if (models !== undefined) {
    expect([...new Set(bodies.map(({ model }) => String(model)))].sort().join(" ")).toBe(models);
  }
}

/** The proofs of `cases.yaml`, by section and rule. */
export function proofsOfCases(): Readonly<Record<string, Section>> {
  const text = readFileSync("test/parity/cases.yaml", "utf8");
  const sections = parse(text, { customTags, maxAliasCount: -1 }) as Record<string, Record<string, Case[]>>;
  const proofOf =
    (cases: readonly Case[]): Proof =>
    async (bench) => {
      for (const one of cases) await prove(one, bench);
    };
  return Object.fromEntries(
    Object.entries(sections).map(([section, rules]) => [
      section,
      Object.fromEntries(Object.entries(rules).map(([rule, cases]) => [rule, proofOf(cases)])),
    ]),
  );
}
