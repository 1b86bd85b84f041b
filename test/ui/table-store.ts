import { checks } from "../../src/evaluate/checks/registry.ts";
import type { CompiledSpec } from "../../src/evaluate/query/compiled.ts";
import type { Outcome } from "../../src/model/outcome.ts";
import { loadSpec } from "../../src/spec/load.ts";
import type { JudgedRecord } from "../../src/store/read/stored.ts";
import { openDatabase } from "../../src/store/sqlite/open-database.ts";
import { SqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import { record } from "../store/stored-records.ts";

const hourMs = 3_600_000;

/** A spec with a table of 320 rows and two queries that it writes itself. */
export function specWithTable(): CompiledSpec {
  const text = `agent: faq-agent
queries:
  - queries_from: cases.csv
    id: "case-{id}"
    query: "{question}"
    correctness: { expected_in_answer: ["{answer}"] }
  - { id: refund, query: How do I get a refund?, correctness: { expected_in_answer: [form] } }
  - { id: hours, query: When are you open?, correctness: { expected_in_answer: [nine] } }
`;
  const lines = Array.from({ length: 320 }, (_, at) => `${at + 1},Question ${at + 1}?,answer ${at + 1}`);
  const csv = ["id,question,answer", ...lines].join("\n");
  const reader = { read: (path: string) => ({ ok: true, text: csv, realPath: path }) as const };
  const loaded = loadSpec({ file: "specs/faq.yaml", text }, { checks, reader });
  if (!loaded.ok) throw new Error(loaded.problems.map(({ message }) => message).join("\n"));
  return loaded.spec;
}

/** Why a row fails today: every sixth by its answer, and 7, 107 and 207 by their path. */
function failureOf(row: number): string | null {
  if (row % 6 === 0) return "expected_in_answer";
  return row % 100 === 7 ? "max_tool_calls" : null;
}

/**
 * Yesterday rows 1–280 passed. Today rows 1–260 and 281–300 had a run: 47 failed by their answer, 3 by their path. `refund` failed 5 of 8 runs on
 * both days; `hours` passed.
 */
export function fillTableStore(path: string, nowMs: number): void {
  const { database } = openDatabase(path, nowMs);
  const store = new SqliteStore({
    database,
    retention: { maxAgeMs: 1e15, maxBytes: 1e15 },
    onError: (error) => {
      throw error;
    },
    mostWaitingBytes: Infinity,
  });
  let run = 0;
  const add = (queryId: string, judgedUnixMs: number, check: string | null): void => {
    store.add(recordOf(++run, queryId, judgedUnixMs, check));
  };
  const [today, yesterday] = [nowMs - 5 * hourMs, nowMs - 40 * hourMs];
  for (let row = 1; row <= 280; row++) add(`case-${row}`, yesterday + row * 1_000, null);
  for (let row = 1; row <= 300; row++)
    if (row <= 260 || row > 280) add(`case-${row}`, today + row * 1_000, failureOf(row));
  for (const day of [yesterday, today]) {
    for (let at = 0; at < 8; at++) {
      add("refund", day + at * 60_000, at < 5 ? "expected_in_answer" : null);
      add("hours", day + at * 60_000, null);
    }
  }
  void store.close();
}

function recordOf(run: number, queryId: string, judgedUnixMs: number, check: string | null): JudgedRecord {
  const outcome: Outcome = check === null ? "pass" : "fail";
  const decidedBy = check === null ? {} : { decidedBy: { checks: [check], text: `${check} of a run` } };
  const made = record({ run, outcome, judgedUnixMs, query: `about ${queryId}`, bytes: null, ...decidedBy });
  return {
    ...made,
    verdicts: made.verdicts.map((verdict) => ({
      ...verdict,
      spec: "faq",
      queryId,
      unmetChecks: check === null ? [] : [check],
    })),
  };
}
