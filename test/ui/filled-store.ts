import { readdirSync } from "node:fs";
import type { VerdictJson } from "../../src/report/json/verdict-schema.ts";
import { decidedBy } from "../../src/store/write/judged-record.ts";
import type { JudgedRecord } from "../../src/store/read/stored.ts";
import { openDatabase } from "../../src/store/sqlite/open-database.ts";
import { SqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import { serve } from "./served.ts";

export interface Filling {
  readonly runs: number;
  /** Over how many hours before `nowMs` the runs are spread. */
  readonly hours: number;
  readonly nowMs: number;
  /** Since how many hours the agents are of version 1.4.0 instead of 1.3.0, which is slower. */
  readonly newVersionHours: number;
  /** Ids of queries that only the new version, or only the old one, has runs of. */
  readonly newQueries?: readonly string[];
  readonly goneQueries?: readonly string[];
}

interface RunObject {
  readonly run_id: string;
  readonly trace_id: string;
  readonly agent: string | null;
  readonly service: string | null;
  readonly query: string | null;
  readonly answer: string | null;
  readonly total_tokens: number | null;
  readonly cost_usd: number | null;
  readonly models: readonly string[];
  readonly duration_ms: number;
  readonly start_unix_ms: number;
  readonly steps: readonly { readonly start_unix_ms: number | null }[];
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly verdicts: readonly VerdictJson[];
}

/** How often runs of a query occur, of those that do not occur once; of `weather` by the outcome. */
const frequent: readonly (readonly [queryId: string, count: number, isFail?: boolean])[] = [
  ["metrics-as-json", 2],
  ["aws", 3],
  ["install", 4],
  ["weather", 2, true],
  ["weather", 5, false],
  ["cancel", 3],
  ["reset-password", 3],
];

/** A store with many runs made of the recordings: each with a time of its own, and lengths and costs that vary. */
export async function fillStore(path: string, filling: Filling): Promise<void> {
  const templates = await (judged ??= judgedRecordings());
  const { database } = openDatabase(path, filling.nowMs);
  const store = new SqliteStore({
    database,
    retention: { maxAgeMs: 1e15, maxBytes: 1e15 },
    onError: (error) => {
      throw error;
    },
    mostWaitingBytes: Infinity,
  });
  const random = randomNumbers(7);
  const { runs, hours, nowMs, newVersionHours } = filling;
  for (let at = 0; at < runs; at++) {
    const picked = templates[Math.floor(random() * templates.length)];
    const judgedMs = Math.round(nowMs - 1_000 - (1 - (at + random()) / runs) * hours * 3_600_000);
    const isNew = nowMs - judgedMs < newVersionHours * 3_600_000;
    const absent = (isNew ? filling.goneQueries : filling.newQueries) ?? [];
    const template =
      absent.length > 0 && claims(picked, absent) ? templates.find((one) => !claims(one, absent)) : picked;
    if (template === undefined) throw new Error("no recording was judged");
    const isSlower = isNew && template.verdicts.some(({ query_id: id }) => slower.has(id));
    const stretch = Math.exp((random() + random() - 1) * 0.5) * (isSlower ? 2 : 1);
    store.add(copyOf(template, at, judgedMs, isNew ? "1.4.0" : "1.3.0", stretch));
    if (at % 200 === 199) store.flush();
  }
  void store.close();
}

function claims(run: RunObject | undefined, queries: readonly string[]): boolean {
  return run?.verdicts.some(({ query_id: id }) => queries.includes(id)) === true;
}

const slower: ReadonlySet<string> = new Set(["install", "reset-password"]);

/** Recordings are judged once for all tests of this process. */
let judged: Promise<RunObject[]> | undefined;

async function judgedRecordings(): Promise<RunObject[]> {
  const served = await serve();
  try {
    const names = readdirSync("test/fixtures/runs").map((file) => file.replace(/\.jsonl$/, ""));
    await served.send(...names);
    await served.live.whenIdle();
    const read = async <T>(what: string): Promise<T> =>
      (await (await fetch(`${served.address}/api/v1/${what}`)).json()) as T;
    const { runs } = await read<{ runs: { run_id: string }[] }>("runs?limit=100");
    const all = await Promise.all(
      runs.map(({ run_id: id }) => read<RunObject>(`runs/${encodeURIComponent(id)}`)),
    );
    // They were listed in the order in which they came, which is not always the same.
    all.sort((a, b) => (a.trace_id < b.trace_id ? -1 : 1));
    const told = frequent.flatMap(([queryId, count, isFail]) => {
      const of = all.filter(({ verdicts: [verdict] }) => {
        const isOutcome = isFail === undefined || isFail === (verdict?.outcome === "fail");
        return verdict?.query_id === queryId && isOutcome;
      });
      return Array.from({ length: count }, () => of).flat();
    });
    return [...told, ...all];
  } finally {
    await served.live.stop(2_000);
  }
}

function copyOf(
  template: RunObject,
  at: number,
  judgedUnixMs: number,
  version: string,
  stretch: number,
): JudgedRecord {
  const traceId = (at + 1).toString(16).padStart(32, "0");
  const { verdicts, ...rest } = JSON.parse(
    JSON.stringify(template).replaceAll(template.trace_id, traceId),
  ) as RunObject;
  const durationMs = rest.duration_ms * stretch;
  const startUnixMs = judgedUnixMs - durationMs;
  const run = {
    ...rest,
    start_unix_ms: startUnixMs,
    steps: rest.steps.map(({ start_unix_ms: startMs, ...step }) => ({
      ...step,
      start_unix_ms: startMs === null ? null : startMs - rest.start_unix_ms + startUnixMs,
    })),
    duration_ms: durationMs,
    cost_usd: rest.cost_usd === null ? null : rest.cost_usd * (0.9 + 0.2 * (stretch % 1)),
    attributes: { ...rest.attributes, "service.version": version },
  };
  return {
    run: {
      runId: run.run_id,
      traceIds: [traceId],
      agent: run.agent,
      service: run.service,
      conversationId: null,
      query: run.query,
      answer: run.answer,
      complete: true,
      startUnixMs: run.start_unix_ms,
      durationMs,
      totalTokens: run.total_tokens,
      costUsd: run.cost_usd,
      models: run.models,
      version,
      json: JSON.stringify(run),
    },
    verdicts: verdicts.map((verdict) => {
      const by = decidedBy(verdict);
      return {
        verdictId: `${verdict.verdict_id}-${at}`,
        revision: verdict.revision,
        spec: verdict.spec,
        queryId: verdict.query_id,
        outcome: verdict.outcome,
        unmetChecks: by?.checks ?? [],
        ...(by === undefined ? {} : { decidedBy: by }),
        json: JSON.stringify({ ...verdict, verdict_id: `${verdict.verdict_id}-${at}` }),
      };
    }),
    unjudged: [],
    telemetry: null,
    judgedUnixMs,
  };
}

/** Numbers in 0–1 that are the same each time (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
