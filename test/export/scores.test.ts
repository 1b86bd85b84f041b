import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ExportEvents } from "../../src/export/records/export-events.ts";
import { type VerdictExporter } from "../../src/export/exporter.ts";
import {
  type ExportSettings,
  type ScoreKind,
  scoreKinds,
  type ScoresDestination,
} from "../../src/export/settings.ts";
import type { Verdict } from "../../src/model/verdict.ts";
import { startBraintrust, startDatadog, startLangsmith } from "../support/hosted-score-backends.ts";
import {
  type KeptScore,
  type ScoreBackendSink,
  startLangfuse,
  startMlflow,
  startPhoenix,
} from "../support/score-backends.ts";
import { checkOf, judgedRun, judgeRecordOf, verdictOf } from "../support/verdict-of.ts";
import { scoresDefaults } from "../support/settings-defaults.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { exporterInFolder } from "./exporter-in-folder.ts";

const starts = {
  langfuse: startLangfuse,
  phoenix: startPhoenix,
  mlflow: startMlflow,
  langsmith: startLangsmith,
  braintrust: startBraintrust,
  datadog: startDatadog,
};
/** What a tool is told: name of the score and what it shows. */
const shown = ({ scores }: ScoreBackendSink): Record<string, unknown> =>
  Object.fromEntries([...scores.values()].map(({ name, value }) => [name, value]));

/** What a score says of itself: in its metadata, which LangSmith cannot change, so that its comment has it. */
function revisionAndOutcome(kind: ScoreKind, score: KeptScore | undefined): unknown[] {
  const comment = /^(\w+): [\s\S]*\nrevision (\d+)$/.exec(score?.explanation ?? "") ?? [];
  return kind === "langsmith"
    ? [comment[2], comment[1]]
    : [score?.metadata["tracejury.revision"], score?.metadata["tracejury.outcome"]];
}

let folder: string;
let exporter: VerdictExporter | undefined;
let sink: ScoreBackendSink | undefined;
let nowUnixMs: number;

beforeEach(() => {
  folder = temporaryFolder();
  nowUnixMs = 1_700_000_000_500;
});
afterEach(async () => {
  await exporter?.close(0);
  await sink?.close();
  sink = undefined;
});

async function start(kind: ScoreKind): Promise<ScoreBackendSink> {
  sink = await starts[kind]();
  return sink;
}

async function open(
  kind: ScoreKind,
  { url }: ScoreBackendSink,
  scores: Partial<ScoresDestination> = {},
  settings: Partial<ExportSettings> = {},
  events: Partial<ExportEvents> = {},
): Promise<VerdictExporter> {
  exporter = await exporterInFolder({
    folder,
    settings: {
      revisions: "all",
      scores: [{ ...scoresDefaults, kind, endpoint: url, project: "p-1", ...scores }],
      ...settings,
    },
    now: () => nowUnixMs,
    events,
  });
  return exporter;
}

const checks = [
  checkOf({ check: "expected_in_answer", layer: "correctness", message: "the answer has “Mondays”" }),
  checkOf({
    check: "llm_judge",
    layer: "correctness",
    outcome: "incomplete",
    message: "no key",
    judge: judgeRecordOf({ score: null, rationale: "quotes the answer" }),
  }),
  checkOf({
    check: "min_tool_recall",
    metric: "tool_recall",
    layer: "path",
    outcome: "warn",
    value: 0.5,
    limit: 1,
    spanIds: ["00000000000000aa"],
  }),
];

function verdict(given: Partial<Verdict> = {}): Verdict {
  return verdictOf(checks, { verdictId: "v-1", ...given });
}

describe("a judged trace gets", () => {
  test("in Phoenix, annotations of the run's root span", async () => {
    const phoenix = await start("phoenix");
    const scores = await open("phoenix", phoenix, { key: "px-key" }, { link: "https://judge.example/" });
    scores.publish(verdict());
    await scores.flush();
    expect(shown(phoenix)).toEqual({
      "tracejury.verdict": { label: "incomplete", score: null },
      "tracejury.correctness": { label: "incomplete", score: null },
      "tracejury.path": { label: "warn", score: 0 },
    });
    const [first] = phoenix.scores.values();
    expect(first).toMatchObject({
      target: "eee19b7ec3c1b174",
      by: "CODE",
      metadata: {
        "tracejury.verdict.id": "v-1",
        "tracejury.revision": "1",
        "tracejury.link": "https://judge.example/runs/5b8efff798038103d269b633813fc60c-eee19b7ec3c1b174",
      },
    });
    expect(phoenix.requests[0]?.headers.authorization).toBe("Bearer px-key");
  });

  test("in Langfuse, numeric scores of what is known and categories of what is unknown", async () => {
    const langfuse = await start("langfuse");
    const scores = await open(
      "langfuse",
      langfuse,
      { key: "pk:sk", names: ["tracejury.*", "tool_recall", "min_tool_recall"], on: "check" },
      { link: "https://judge.example" },
    );
    scores.publish(verdict());
    await scores.flush();
    expect(shown(langfuse)).toEqual({
      "tracejury.verdict": "incomplete",
      "tracejury.correctness": "incomplete",
      "tracejury.path": 0,
      "path.tool_recall": 0.5,
    });
    const byName = new Map([...langfuse.scores.values()].map((score) => [score.name, score]));
    expect(byName.get("tracejury.path")?.target).toBe("5b8efff798038103d269b633813fc60c");
    expect(byName.get("path.tool_recall")?.target).toBe("5b8efff798038103d269b633813fc60c/00000000000000aa");
    expect(byName.get("tracejury.verdict")?.explanation).toMatch(
      /^incomplete: .*\nhttps:\/\/judge\.example\/runs\//s,
    );
    expect(langfuse.requests[0]?.headers.authorization).toBe(`Basic ${btoa("pk:sk")}`);
  });

  test("in MLflow, assessments: outcomes, numbers of checks, and errors where nothing could be told", async () => {
    const mlflow = await start("mlflow");
    const scores = await open("mlflow", mlflow, { key: "token", names: ["*"] });
    scores.publish(verdict());
    await scores.flush();
    expect(shown(mlflow)).toEqual({
      "tracejury.verdict": { value: "incomplete" },
      "tracejury.correctness": { value: "incomplete" },
      "correctness.expected_in_answer": { value: 1 },
      "correctness.llm_judge": {
        error: { error_code: "INCOMPLETE", error_message: expect.stringContaining("undecided") },
      },
      "tracejury.path": { value: "warn" },
      "path.tool_recall": { value: 0.5 },
    });
    expect([...mlflow.scores.values()].map(({ by }) => by)).toContain("LLM_JUDGE");
    expect(mlflow.requests[0]?.headers.authorization).toBe("Bearer token");
  });

  test("in LangSmith, feedback of the run that the root span became", async () => {
    const langsmith = await start("langsmith");
    const scores = await open("langsmith", langsmith, { key: "ls-key" }, { link: "https://judge.example" });
    scores.publish(verdict());
    await scores.flush();
    expect(shown(langsmith)).toEqual({
      "tracejury.verdict": { score: null, value: "incomplete" },
      "tracejury.correctness": { score: null, value: "incomplete" },
      "tracejury.path": { score: 0, value: "warn" },
    });
    const [first] = langsmith.scores.values();
    expect(first?.target).toBe("00000000-0000-0000-eee1-9b7ec3c1b174");
    expect(first?.explanation).toMatch(/^incomplete: .*\nhttps:\/\/judge\.example\/runs\/.*\nrevision 1$/s);
    expect(langsmith.requests[0]?.headers["x-api-key"]).toBe("ls-key");
  });

  test("in Braintrust, scores of the row that the span became: outcomes, with a check's number beside", async () => {
    const braintrust = await start("braintrust");
    const names = ["tracejury.*", "min_tool_recall"];
    const scores = await open("braintrust", braintrust, { key: "bt-key", names, on: "check" });
    scores.publish(verdict());
    await scores.flush();
    expect(shown(braintrust)).toEqual({
      "tracejury.verdict travel": null,
      "tracejury.correctness travel": null,
      "tracejury.path travel": 0,
      "path.tool_recall travel": 0,
    });
    const recall = [...braintrust.scores.values()].find(({ name }) => name.startsWith("path.tool_recall"));
    expect(recall).toMatchObject({ target: "00000000000000aa", metadata: { outcome: "warn", value: 0.5 } });
    expect(braintrust.requests[0]?.headers.authorization).toBe("Bearer bt-key");
  });

  test("in Braintrust, the score 1 if its verdict has only warnings, as in the other products", async () => {
    const braintrust = await start("braintrust");
    const scores = await open("braintrust", braintrust, { key: "bt-key" });
    scores.publish(verdictOf(checks.slice(2), { verdictId: "v-1" }));
    await scores.flush();
    expect(shown(braintrust)).toMatchObject({ "tracejury.verdict travel": 1, "tracejury.path travel": 0 });
  });

  test("in Datadog, evaluations of the root span, in the application that the service is", async () => {
    const datadog = await start("datadog");
    const names = ["tracejury.*", "path.tool_recall"];
    const refused: string[] = [];
    const events = { rejected: ({ why }: { why: string }) => void refused.push(why) };
    const scores = await open("datadog", datadog, { key: "dd-key", names, project: null }, {}, events);
    scores.publish(verdict({ run: judgedRun({ service: "shop" }) }));
    scores.publish(verdict({ verdictId: "v-nameless", run: judgedRun({ service: null }) }));
    await scores.flush();
    expect(shown(datadog)).toEqual({
      tracejury_verdict_travel: "incomplete",
      tracejury_correctness_travel: "incomplete",
      tracejury_path_travel: "warn",
      path_tool_recall_travel: "warn",
    });
    const recall = datadog.scores.get(
      "121702245401190319682828931810593850892 17213210219539181940 shop path_tool_recall_travel",
    );
    expect(recall).toMatchObject({ by: "none", metadata: { source: "otel", "tracejury.value": "0.5" } });
    expect(refused).toEqual([expect.stringContaining("`project`")]);
    expect(datadog.requests[0]?.headers["dd-api-key"]).toBe("dd-key");
  });
});

describe.each(scoreKinds)("%s", (kind) => {
  test("has each score once, of the newest revision, however often verdicts are sent", async () => {
    const backend = await start(kind);
    const first = await open(kind, backend);
    first.publish(verdict());
    await first.flush();
    await first.close(60_000);
    // Another process that does not know what was sent.
    const second = await open(kind, backend);
    second.publish(verdict());
    await second.flush();
    expect(backend.scores.size).toBe(3);
    const passed = verdictOf([checkOf({ check: "max_llm_calls", layer: "cost" })]);
    second.publish({ ...passed, verdictId: "v-1", revision: 2 });
    await second.flush();
    expect(backend.scores.size).toBe(4); // and the layer that the first revision had nothing about
    const [score] = backend.scores.values();
    expect(revisionAndOutcome(kind, score)).toEqual(["2", "pass"]);
  });

  test("that was down gets only the newest of the revisions that waited", async () => {
    const backend = await start(kind);
    backend.refusal = 503;
    const first = await open(kind, backend);
    first.publish(verdict());
    const revised = verdictOf([checkOf({ check: "expected_in_answer", layer: "correctness" })]);
    first.publish({ ...revised, verdictId: "v-1", revision: 2 });
    await first.flush();
    await first.close(60_000);
    backend.refusal = null;
    const second = await open(kind, backend);
    await second.flush();
    const revisions = [...backend.scores.values()].map((score) => revisionAndOutcome(kind, score)[0]);
    expect(new Set(revisions)).toEqual(new Set(["2"]));
  });

  test("gets no text of runs or judges without export.content, and gets it with", async () => {
    const backend = await start(kind);
    const scores = await open(kind, backend, { names: ["*"] });
    const told = { ...verdict(), run: judgedRun({ query: "a secret question" }) };
    scores.publish(told);
    await scores.flush();
    const said = (): string => JSON.stringify([...backend.scores.values()]);
    expect(said()).not.toMatch(/secret|Mondays|quotes the answer/);
    await scores.close(60_000);
    backend.scores.clear();
    const open2 = await open(kind, backend, { names: ["*"] }, { content: true });
    open2.publish({ ...told, verdictId: "v-2" });
    await open2.flush();
    expect(said()).toMatch(/Mondays/);
  });

  test("that refuses them is not asked again, and that is counted", async () => {
    const backend = await start(kind);
    backend.refusal = 403;
    const counts = { sent: 0, lost: 0 };
    const scores = await open(
      kind,
      backend,
      {},
      {},
      {
        sent: ({ records }) => void (counts.sent += records),
        rejected: ({ records }) => void (counts.lost += records),
      },
    );
    scores.publish(verdict());
    await scores.flush();
    expect(counts).toEqual({ sent: 0, lost: 1 });
    expect(new Set(backend.requests.map(({ path }) => path)).size).toBe(1);
  });
});

test.each(["phoenix", "langfuse", "mlflow", "langsmith"] as const)(
  "%s has one score of a check whose evidence is another span in a later revision",
  async (kind) => {
    const backend = await start(kind);
    const settings = { names: ["min_tool_recall"], on: "check" as const };
    const first = await open(kind, backend, settings);
    first.publish(verdict());
    await first.flush();
    await first.close(60_000);
    const second = await open(kind, backend, settings);
    const moved = checkOf({
      check: "min_tool_recall",
      metric: "tool_recall",
      layer: "path",
      value: 1,
      limit: 1,
      spanIds: ["00000000000000bb"],
    });
    second.publish({ ...verdictOf([moved]), verdictId: "v-1", revision: 2 });
    await second.flush();
    const scores = [...backend.scores.values()];
    expect(scores.map((score) => revisionAndOutcome(kind, score))).toEqual([["2", "pass"]]);
  },
);

test("a Phoenix that cannot be asked what is there gets annotations all the same", async () => {
  const phoenix = await start("phoenix");
  const scores = await open("phoenix", phoenix, { project: "another" });
  scores.publish(verdict());
  await scores.flush();
  expect(phoenix.scores.size).toBe(3);
});

test.each(["phoenix", "mlflow", "langsmith", "braintrust", "datadog"] as const)(
  "%s keeps the newest revision where an older one comes late, from a process that knows nothing of it",
  async (kind) => {
    const backend = await start(kind);
    const first = await open(kind, backend);
    nowUnixMs += 1000;
    first.publish(verdict({ revision: 2 }));
    await first.flush();
    await first.close(60_000);
    const before = structuredClone(backend.scores);
    const second = await open(kind, backend);
    nowUnixMs -= 1000;
    second.publish({
      ...verdictOf([checkOf({ check: "expected_in_answer", layer: "correctness" })]),
      verdictId: "v-1",
    });
    await second.flush();
    expect(backend.scores).toEqual(before);
  },
);

describe.each([
  ["phoenix" as const, "00000000000000b1", { rootSpanId: "00000000000000b1" }],
  ["mlflow" as const, "tr-5b8efff798038103d269b633813fc6b1", { traceId: "5b8efff798038103d269b633813fc6b1" }],
  ["langsmith" as const, "00000000-0000-0000-0000-0000000000b1", { rootSpanId: "00000000000000b1" }],
  ["braintrust" as const, "00000000000000b1", { rootSpanId: "00000000000000b1" }],
])("where %s does not have the trace yet", (kind, target, run) => {
  test("the time in which the backend was down is no part of the wait", async () => {
    const backend = await start(kind);
    backend.refusal = 503;
    const whys: string[] = [];
    const events = { rejected: ({ why }: { why: string }) => void whys.push(why) };
    const scores = await open(kind, backend, { waitMs: 60_000 }, {}, events);
    scores.publish(verdict({ verdictId: "v-late", run: judgedRun(run) }));
    nowUnixMs += 700_000;
    await scores.flush();
    backend.refusal = null;
    backend.present = new Set();
    const asked = backend.requests.length;
    await scores.flush();
    expect(backend.requests.length).toBeGreaterThan(asked);
    expect(whys).toEqual([]);
  });

  test("its verdict waits without holding up others, and no longer than it should", async () => {
    const backend = await start(kind);
    backend.present = new Set([
      "eee19b7ec3c1b174",
      "tr-5b8efff798038103d269b633813fc60c",
      "00000000-0000-0000-eee1-9b7ec3c1b174",
    ]);
    const whys: string[] = [];
    const scores = await open(
      kind,
      backend,
      { waitMs: 60_000 },
      {},
      { rejected: ({ why }) => whys.push(why) },
    );
    scores.publish(verdict({ verdictId: "v-late", run: judgedRun(run) }));
    scores.publish(verdict({ verdictId: "v-1" }));
    await scores.flush();
    expect(backend.scores.size).toBe(3);
    await scores.close(60_000);
    backend.present.add(target);
    const later = await open(kind, backend);
    await later.flush();
    expect(backend.scores.size).toBe(6);
    later.publish(
      verdict({
        verdictId: "v-never",
        run: judgedRun({ traceId: "f".repeat(32), rootSpanId: "f".repeat(16) }),
      }),
    );
    await later.flush();
    await later.close(60_000);
    nowUnixMs += 700_000;
    const last = await open(kind, backend, {}, {}, { rejected: ({ why }) => whys.push(why) });
    await last.flush();
    expect(whys).toEqual([expect.stringMatching(/^the backend has not received the judged trace: /)]);
    expect(backend.scores.size).toBe(6);
  });
});

test("what Langfuse could not take for now is sent again, what it refuses is given up alone", async () => {
  let answers: Record<string, number> = { "tracejury.path": 400 };
  const refused: string[] = [];
  sink = await startLangfuse((name) => answers[name] ?? 201);
  const scores = await open("langfuse", sink, {}, {}, { rejected: ({ why }) => refused.push(why) });
  scores.publish(verdict());
  await scores.flush();
  expect({ refused, scores: sink.scores.size }).toEqual({ refused: ["HTTP 400 no"], scores: 2 });
  answers = { "tracejury.correctness": 500 };
  scores.publish(verdict({ verdictId: "v-2" }));
  await scores.flush();
  expect(sink.scores.size).toBe(4);
  answers = {};
  await scores.flush();
  expect(sink.scores.size).toBe(5);
});
