import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { replay } from "../../src/replay/replay.ts";
import { conversation, type HistoryDialect, type HistoryForm } from "../data/conversation.ts";
import { DumpStream, replicasOf } from "../data/real/bodies.ts";
import { judgeAll } from "../engine.ts";

/**
 * A process that judges conversations of so many calls in one trace each, and parses their lines and those of recorded runs in the same round: `node
 * testing-conversations.js DIALECT FORM CALLS ROUNDS [FOLDER]`. Writes for each round microseconds of CPU and bytes a span.
 */
const [dialect = "genai", form = "list", calls = "100", rounds = "3", recordings] = process.argv.slice(2);
const WARM_US = 3_000_000;
const LEAST_US = 200_000;
const CALLS_A_ROUND = 1_000;

const folder = mkdtempSync(join(tmpdir(), "tracejury-bench-"));
const judge = judgeAll("*");
let made = 0;
try {
  const recorded = new DumpStream(replicasOf(recordings)).take(2_000);
  for (let warmed = 0; warmed < WARM_US;) {
    const lines = newLines();
    warmed += (await judged(lines)) + parsed(lines) + parsed(recorded.lines);
  }
  const measured: { judge: number; parse: number; recorded: number; bytes: number }[] = [];
  for (let round = 0; round < Number(rounds); round++) {
    const lines = newLines();
    const spans = lines.length * (Number(calls) + 1);
    measured.push({
      judge: (await judged(lines)) / spans,
      parse: parsed(lines) / spans,
      recorded: parsed(recorded.lines) / recorded.spans,
      bytes: lines.reduce((sum, line) => sum + line.length, 0) / spans,
    });
  }
  process.stdout.write(JSON.stringify(measured));
} finally {
  rmSync(folder, { recursive: true });
}

/** A line a trace, texts never seen before. */
function newLines(): string[] {
  const traces = Math.ceil(CALLS_A_ROUND / Number(calls));
  return Array.from({ length: traces }, () => {
    const request = conversation(dialect as HistoryDialect, form as HistoryForm, Number(calls), ++made);
    return `${JSON.stringify(request)}\n`;
  });
}

/** Microseconds of CPU from a file to verdicts. */
async function judged(lines: readonly string[]): Promise<number> {
  const file = join(folder, "dump.jsonl");
  writeFileSync(file, lines.join(""));
  const from = process.cpuUsage();
  let asked = 0;
  await replay([file], {
    config: { attributes: [], prices: {} },
    stdin: process.stdin,
    onRun: (run) => {
      judge(run);
      asked += run.llmCalls ?? 0;
    },
  });
  const { user, system } = process.cpuUsage(from);
  if (asked !== lines.length * Number(calls))
    throw new Error(`${asked} model calls found of ${calls} in ${lines.length} traces`);
  return user + system;
}

function parsed(lines: readonly string[]): number {
  const from = process.cpuUsage();
  for (let times = 1; ; times++) {
    for (const line of lines) JSON.parse(line);
    const { user, system } = process.cpuUsage(from);
    if (user + system >= LEAST_US) return (user + system) / times;
  }
}
