import type { JsonObject, JsonValue } from "../../../src/model/json.ts";
import type { Call } from "./promptfoo-cases.ts";
import { Dice } from "./random.ts";

/** Calls by the step in which they were made: those of one step stand in one message. */
export type Steps = readonly (readonly Call[])[];

export interface AgentevalsCase {
  /** As a file has it: messages, with the settings of the evaluator beside them. */
  readonly file: JsonObject;
  readonly steps: Steps;
}

export interface AdkCase {
  readonly evalCase: JsonObject;
  /** Of `test_config.json`; ADK's own when absent. */
  readonly criteria: JsonObject | null;
  readonly calls: readonly Call[];
  readonly answer: string;
}

export interface EvalviewCase {
  readonly test: JsonObject;
  readonly calls: readonly Call[];
  readonly answer: string;
  readonly costUsd: number;
  readonly latencyMs: number;
}

const names = ["search", "Search", "book", "pay"];
const values: readonly JsonValue[] = [
  1,
  2,
  1.5,
  "1",
  "Oslo",
  "oslo",
  true,
  null,
  [1, 2],
  [2, 1],
  { a: 1 },
  { a: 1, b: 2 },
];

function callOf(dice: Dice): Call {
  const keys = dice.one<readonly string[]>([[], ["id"], ["id", "city"]]);
  return { name: dice.one(names), arguments: Object.fromEntries(keys.map((key) => [key, dice.one(values)])) };
}

function stepsOf(dice: Dice): Call[][] {
  return Array.from({ length: dice.below(4) }, () =>
    Array.from({ length: 1 + Number(dice.below(3) === 0) }, () => callOf(dice)),
  );
}

/** What an agent did instead: one thing another, or nothing. */
function changed(steps: Steps, dice: Dice): Call[][] {
  const copy = steps.map((step) => [...step]);
  const at = dice.below(copy.length);
  const step = copy[at];
  const [first] = step ?? [];
  if (step === undefined || first === undefined) return dice.below(2) === 0 ? copy : [[callOf(dice)]];
  const changes: readonly (() => void)[] = [
    () => undefined,
    () => undefined,
    () => step.reverse(),
    () => copy.reverse(),
    () => copy.splice(at, 1),
    () => copy.splice(at, 0, [callOf(dice)]),
    () => step.push(callOf(dice)),
    () => copy.splice(at, 1, ...step.map((call) => [call])),
    () => copy.splice(0, copy.length, copy.flat()),
    () => (step[0] = { ...first, name: dice.one(names) }),
    () => (step[0] = { ...first, arguments: { ...first.arguments, id: dice.one(values) } }),
    () => (step[0] = { ...first, arguments: { ...first.arguments, more: dice.one(values) } }),
    () => (step[0] = { ...first, arguments: {} }),
    () => copy.push([first]),
  ];
  dice.one(changes)();
  return copy;
}

export function messagesOf(steps: Steps): JsonObject[] {
  return [
    { role: "user", content: "Q?" },
    ...steps.flatMap((step) => [
      {
        role: "assistant",
        content: "",
        tool_calls: step.map(({ name, arguments: args }) => ({
          function: { name, arguments: JSON.stringify(args) },
        })),
      },
      ...step.map(() => ({ role: "tool", content: "done" })),
    ]),
    { role: "assistant", content: "Done." },
  ];
}

export function agentevalsCases(): readonly AgentevalsCase[] {
  const dice = new Dice(42);
  const settings: readonly JsonObject[] = [
    {},
    ...["strict", "unordered", "subset", "superset"].map((mode) => ({ trajectory_match_mode: mode })),
    ...["strict", "unordered", "superset"].map((mode) => ({
      trajectory_match_mode: mode,
      tool_args_match_mode: "ignore",
    })),
    { trajectory_match_mode: "superset", tool_args_match_mode: "superset" },
  ];
  return Array.from({ length: 500 }, () => {
    const reference = stepsOf(dice);
    const file = { reference_outputs: messagesOf(reference), ...dice.one(settings) };
    return { file, steps: dice.below(8) === 0 ? stepsOf(dice) : changed(reference, dice) };
  });
}

const texts = [
  "You rolled 4.",
  "You rolled a 4, and it is not prime.",
  "The order was shipped today and arrives tomorrow",
  "The order is shipping today; it arrives tomorrow.",
  "Orders were shipped",
  "東京タワー",
  "東京",
  "",
];

export function adkCases(): readonly AdkCase[] {
  const dice = new Dice(7);
  const trajectories = ["EXACT", "IN_ORDER", "ANY_ORDER", "in-order"].map((match_type) => ({
    tool_trajectory_avg_score: { threshold: 1, match_type },
  }));
  const criteria: readonly (JsonObject | null)[] = [
    null,
    null,
    { tool_trajectory_avg_score: 1 },
    ...trajectories,
    { tool_trajectory_avg_score: { threshold: 1, match_type: 1, ignore_args: true } },
    { tool_trajectory_avg_score: 0 },
    { response_match_score: 0.5 },
    { tool_trajectory_avg_score: 1, response_match_score: 0.8 },
  ];
  return Array.from({ length: 500 }, (_, at) => {
    const reference = stepsOf(dice);
    const text = dice.one(texts);
    const uses = reference.flat().map(({ name, arguments: args }) => ({
      name,
      ...(Object.keys(args).length === 0 && dice.below(4) === 0 ? {} : { args }),
    }));
    const events = uses.map((use) => ({ author: "a", content: { parts: [{ function_call: use }] } }));
    return {
      evalCase: {
        eval_id: `case ${at}`,
        conversation: [
          {
            invocation_id: "i",
            user_content: { role: "user", parts: [{ text: "Q?" }] },
            ...(text === "" ? {} : { final_response: { role: "model", parts: [{ text }] } }),
            ...dice.one<JsonObject>([
              { intermediate_data: { tool_uses: uses } },
              { intermediate_data: { invocation_events: events } },
            ]),
          },
        ],
      },
      criteria: dice.one(criteria),
      calls: changed(reference, dice).flat(),
      answer: dice.below(3) > 0 ? text : dice.one(texts),
    };
  });
}

export function evalviewCases(): readonly EvalviewCase[] {
  const dice = new Dice(11);
  return Array.from({ length: 400 }, (_, at) => {
    const reference = stepsOf(dice).flat();
    const called = changed([reference], dice).flat();
    const mode = dice.one<JsonObject>([
      {},
      ...["exact", "subsequence", "unordered"].map((one) => ({ adapter_config: { sequence_mode: one } })),
    ]);
    return {
      test: {
        name: `test ${at}`,
        input: { query: "Q?" },
        expected: {
          tools: dice.some(reference, 2).map(({ name }) => name),
          tool_sequence: reference.map(({ name }) => name),
          forbidden_tools: dice.below(3) === 0 ? [dice.one(["pay", "BOOK", "delete"])] : [],
          output: {
            contains: dice.some(["shipped", "ORDER", "4"], 2),
            not_contains: dice.some(["prime", "Tokyo"], 1),
            regex_patterns: dice.some(
              ["^the order", "roll.*prime", "[0-9]$", "tomorrow.?$", "SHIPP(ed|ing)"],
              2,
            ),
          },
        },
        thresholds: {
          min_score: 0,
          max_cost: dice.one([0, 0.01, 0.5]),
          max_latency: dice.one([100, 1000, 5000]),
        },
        ...mode,
      },
      calls: called,
      answer: dice.one(texts),
      costUsd: dice.one([0, 0.01, 0.0100001, 0.5]),
      latencyMs: dice.one([100, 1000, 1000.5]),
    };
  });
}
