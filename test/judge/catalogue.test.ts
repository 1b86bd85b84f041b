import { describe, expect, test } from "vitest";
import { eachScore } from "../../src/evaluate/judge/prompt/each.ts";
import { judgeQuery } from "../../src/evaluate/judge/ask/stages.ts";
import { loadRubrics, ownRubricFolder } from "../../src/judge/files/rubric-files.ts";
import type { JsonValue } from "../../src/model/json.ts";
import { queryOf } from "../support/query-of.ts";
import { runOf, type RunText } from "../support/run-of.ts";
import { judgedOnce, judgesOf, message } from "./support/judging.ts";
import { replied, said, scriptedPort } from "./support/scripted-port.ts";

const { rubrics } = await loadRubrics([ownRubricFolder()]);

/** Decisions on numbered items, `y`, `n` or `-`. */
function decided(letters: string): JsonValue {
  const words: Readonly<Record<string, string>> = { y: "yes", n: "no", "-": "not_applicable" };
  const items = letters.split("").map((letter, at) => ({
    item: at + 1,
    reason: `r${at + 1}`,
    holds: words[letter] ?? "",
  }));
  return { items, rationale: "the whole" };
}

function claims(...holds: readonly ("yes" | "no")[]): JsonValue {
  return {
    items: holds.map((it, at) => ({ item: `claim ${at + 1}`, reason: "r", holds: it })),
    rationale: "r",
  };
}

const talk: RunText = {
  systemInstructions: "You are the desk of a library.",
  messages: [
    message("user", "My card is 77."),
    message("assistant", "Thank you."),
    message("user", "Renew it."),
    message("assistant", "What is the number of your card?"),
  ],
  answer: "What is the number of your card?",
};
const retrieving: RunText = {
  retrievals: [
    {
      spanId: null,
      query: "returns",
      documents: [
        { id: "a", content: "Coats come from Spain.", score: 0.9 },
        { id: "b", content: "Returns: 30 days.", score: 0.8 },
      ],
    },
  ],
};
const calling: RunText = {
  tools: [
    { name: "get_order", arguments: { id: "4711" } },
    { name: "refund", arguments: { order: "812" } },
  ],
};

async function judged(rubric: JsonValue, run: RunText, reply: JsonValue) {
  const port = scriptedPort(() => replied(reply));
  const result = await judgedOnce({ port, run: runOf(run), correctness: { llm_judge: [rubric] } });
  return { result, port };
}

describe("what is decided item by item is a share of 0 to 1", () => {
  test.each([
    ["argument_correctness@1", calling, decided("yn"), 0.5, "1 of 2 tool calls"],
    ["argument_correctness@1", calling, decided("yy"), 1, "2 of 2 tool calls"],
    ["role_adherence@1", talk, decided("yy"), 1, "2 of 2 turns"],
    ["knowledge_retention@1", talk, decided("yn"), 0.5, "1 of 2 turns"],
    ["knowledge_retention@1", talk, decided("-y"), 1, "1 of 1 turn"],
    ["faithfulness@1", retrieving, claims("yes", "yes", "no"), 2 / 3, "2 of 3 claims"],
    ["retrieval_precision@1", retrieving, decided("ny"), 0.5, "1 of 2 documents"],
    ["retrieval_precision@1", retrieving, decided("yn"), 1, "1 of 2 documents"],
    ["retrieval_precision@1", retrieving, decided("nn"), 0, "0 of 2 documents"],
  ])("%s", async (rubric, run, reply, share, counted) => {
    const { result } = await judged(rubric, run, reply);
    const threshold = rubrics.get(rubric)?.threshold ?? Number.NaN;

    expect(result).toMatchObject({
      outcome: share >= threshold ? "pass" : "fail",
      metric: "judged_share",
      value: share,
      limit: threshold,
    });
    expect(result.message).toContain(counted);
  });

  test("retrieval_recall@1 looks the reference's claims up in what was retrieved", async () => {
    const rubric = { rubric: "retrieval_recall@1", reference: "Returns take 30 days and need the receipt." };
    const { result, port } = await judged(rubric, retrieving, claims("yes", "no"));

    expect(result).toMatchObject({ outcome: "fail", value: 0.5, limit: 0.7 });
    expect(port.asked[0]?.user).toContain("need the receipt");
    expect(port.asked[0]?.user).toContain("Returns: 30 days.");
  });

  test("every item has to be decided once, and only those that exist", async () => {
    for (const reply of [decided("y"), decided("yyy"), { items: [], rationale: "r" }]) {
      const { result } = await judged("argument_correctness@1", calling, reply);
      expect(result).toMatchObject({ outcome: "error", value: null });
      expect(result.message).toMatch(/item \d (?:is missing)|does not exist/);
    }
    const { result } = await judged("argument_correctness@1", calling, decided("-y"));
    expect(result.message).toContain("decided as not_applicable, but this rubric allows only yes and no");
  });

  test("what does not hold is in the rationale, and not in the message", async () => {
    const { result } = await judged("argument_correctness@1", calling, decided("yn"));
    expect(result.judge?.rationale).toBe("the whole\nno: 2 (r2)");
    expect(result.message).not.toContain("r2");
  });

  test("ranked is the mean over the retrievals of their average precision", () => {
    const list = (group: number, letters: string) =>
      letters.split("").map((letter) => ({ holds: letter === "y", group }));
    expect(eachScore(list(0, "nnyyn"), "ranked")).toBeCloseTo((1 / 3 + 2 / 4) / 2, 12);
    expect(eachScore([...list(0, "y"), ...list(1, "ny")], "ranked")).toBe(0.75);
    expect(eachScore([], "ranked")).toBeNull();
  });
});

describe("what is scored 1 to 5", () => {
  const acting: RunText = {
    messages: [
      message("user", "Where is my order?"),
      {
        ...message("assistant", "Plan: look it up, then answer."),
        calls: [{ id: "1", name: "get_order", arguments: { id: 1 } }],
      },
      {
        ...message("tool", ""),
        results: [{ callId: "1", name: "get_order", content: "shipped", isError: false }],
      },
      message("assistant", "It is on its way."),
    ],
  };

  test.each(["plan_adherence@1", "step_efficiency@1", "task_completion@1"])(
    "%s is shown what the agent wrote and did, in order",
    async (rubric) => {
      const { result, port } = await judged(rubric, acting, said(5, "pass", { applicable: true }));

      expect(result).toMatchObject({ outcome: "pass", value: 5, limit: 4 });
      expect(port.asked[0]?.user).toMatch(
        /\[step 1\] writes: Plan: look it up[\s\S]*\[step 2\] calls get_order[\s\S]*\[step 3\] result of get_order: shipped/,
      );
    },
  );

  test("a run without a plan is skipped, not passed", async () => {
    const { result } = await judged("plan_adherence@1", acting, said(1, "fail", { applicable: false }));
    expect(result).toMatchObject({ outcome: "skip", value: null });
    expect(result.message).toMatch(/does not apply: STEPS holds no plan/);
  });

  test("a rubric that always applies is not to be talked out of", async () => {
    const { result } = await judged("step_efficiency@1", acting, said(1, "fail", { applicable: false }));
    expect(result).toMatchObject({ outcome: "fail", value: 1 });
  });
});

describe("material that is absent", () => {
  const noContents: RunText = {
    retrievals: [{ spanId: null, query: "q", documents: [{ id: "a", content: null, score: 1 }] }],
  };
  const lacks = (what: string): RunText => ({ missing: [{ what, why: "w" }] });
  const blind: RunText = { tools: [{ name: "a", arguments: undefined }] };
  const unknown: RunText = { ...talk, systemInstructions: null };
  const silent: RunText = { query: null, answer: null };
  const recall = "retrieval_recall@1";
  const noReference = /compares with a reference, and the spec has none/;
  test.each<[string, JsonValue, RunText, RegExp, string?]>([
    ["no tool was called", "argument_correctness@1", {}, /no tool was called/],
    [
      "tools may be left out",
      "argument_correctness@1",
      lacks("tools"),
      /the telemetry may lack/,
      "Instrument the tools",
    ],
    ["no arguments", "argument_correctness@1", blind, /lacks the calls/, "arguments"],
    ["nothing retrieved", "faithfulness@1", {}, /nothing was retrieved/],
    ["nothing retrieved", "retrieval_precision@1", {}, /nothing was retrieved/],
    [
      "retrievals may be left out",
      "faithfulness@1",
      lacks("retrievals"),
      /the telemetry may lack/,
      "retriev",
    ],
    ["documents without contents", "retrieval_precision@1", noContents, /lacks the documents/, "retriev"],
    ["no reference", recall, retrieving, noReference, "write `reference: TEXT`"],
    ["no instructions", "role_adherence@1", unknown, /lacks the instructions/, "write them as `reference:`"],
    [
      "no query and answer, no messages",
      "knowledge_retention@1",
      silent,
      /lacks the turns/,
      "Switch content capture on",
    ],
    ["neither messages nor tools", "step_efficiency@1", {}, /lacks the steps/, "messages"],
  ])("%s (%s)", async (_, rubric, run, text, remedy) => {
    const { result, port } = await judged(rubric, run, decided("y"));

    expect(port.asked).toEqual([]);
    expect(result.outcome).toBe(remedy === undefined ? "skip" : "incomplete");
    expect(result.message).toMatch(text);
    expect(result.remedy === null).toBe(remedy === undefined);
    expect(result.remedy ?? "").toContain(remedy ?? "");
  });

  test("a role written as reference stands in for instructions that were not recorded", async () => {
    const rubric = { rubric: "role_adherence@1", reference: "You are a librarian." };
    const { result, port } = await judged(rubric, { ...talk, systemInstructions: null }, decided("yy"));
    expect(result.outcome).toBe("pass");
    expect(port.asked[0]?.user).toContain("You are a librarian.");
  });

  test("a document that was not captured leaves a miss of the answer's claims open", async () => {
    const partly = {
      retrievals: [
        {
          spanId: null,
          query: "q",
          documents: [
            { id: "a", content: "known", score: 1 },
            { id: "b", content: null, score: 1 },
          ],
        },
      ],
    };
    expect((await judged("faithfulness@1", partly, claims("no"))).result).toMatchObject({
      outcome: "incomplete",
      missing: ['documents of the retrieval "q"'],
    });
    expect((await judged("faithfulness@1", partly, claims("yes"))).result.outcome).toBe("pass");
  });

  test("more than 50 calls are not put to a judge at once", async () => {
    const tools = Array.from({ length: 51 }, () => ({ name: "a", arguments: {} }));
    const { result, port } = await judged("argument_correctness@1", { tools }, decided("y"));
    expect(result).toMatchObject({
      outcome: "incomplete",
      message: expect.stringContaining("the run has 51"),
    });
    expect(port.asked).toEqual([]);
  });
});

test("the tool that the query calls its retriever is what retrieval rubrics look at", async () => {
  const port = scriptedPort(() => replied(decided("yn")));
  const run = runOf({
    tools: [
      {
        name: "search",
        arguments: {},
        result: [{ id: "a", content: "Returns: 30 days." }, { content: "Spain" }],
      },
    ],
  });
  const [result] = await judgeQuery({
    run,
    query: {
      ...queryOf({ correctness: { llm_judge: ["retrieval_precision@1"] } }),
      retrieval: { tool: "search" },
    },
    deterministic: [],
    judges: judgesOf(port),
    spec: { settings: {}, contextFile: () => undefined },
  });
  expect(result).toMatchObject({ outcome: "pass", value: 1 });
  expect(port.asked[0]?.user).toMatch(/\[document 1\][^\n]*\nReturns: 30 days\.[\s\S]*\[document 2\]/);
});

test.each([...rubrics.values()].filter(({ each, skipWhen }) => each !== null || skipWhen !== null))(
  "$id has examples, and the same instructions for every run",
  async ({ id, examples }) => {
    const port = scriptedPort(() => replied(decided("yy")));
    const rubric = { rubric: id, reference: "r" };
    const runs = [
      { ...talk, ...calling, ...retrieving },
      { ...talk, ...calling, ...retrieving, query: "Another?" },
    ];
    for (const run of runs) await judgedOnce({ port, run: runOf(run), correctness: { llm_judge: [rubric] } });

    expect(examples.length).toBeGreaterThan(0);
    expect(new Set(port.asked.map(({ system }) => system)).size).toBe(1);
    expect(new Set(port.asked.map(({ promptHash }) => promptHash)).size).toBe(1);
  },
);
