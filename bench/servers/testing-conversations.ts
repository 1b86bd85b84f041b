import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { replay } from "../../src/replay/replay.ts";
import { conversation, type HistoryDialect, type HistoryForm } from "../data/conversation.ts";
import { DumpStream, replicasOf } from "../data/real/bodies.ts";
import { judgeAll } from "../engine.ts";
import { parsed } from "../harness/parsed.ts";

/**
 * A process that judges conversations of so many calls in one trace each; their lines and those of recorded runs are parsed in the same
 * round, in other processes: `node testing-conversations.js DIALECT FORM CALLS ROUNDS [FOLDER]`. Writes for each round microseconds of CPU
 * and bytes a span. All files are written before anything is measured: what is left over from making one would be collected as part of
 * judging it.
 */
const [dialect = "genai", form = "list", calls = "100", rounds = "3", recordings] = process.argv.slice(2);
const WARM_US = 6_000_000;
/** Files that it does so with, over and over. */
const WARM_FILES = 4;
const CALLS_A_ROUND = 1_000;

const folder = mkdtempSync(join(tmpdir(), "tracejury-bench-"));
const judge = judgeAll("*");
let made = 0;
try {
  const recorded = new DumpStream(replicasOf(recordings)).take(2_000);
  const ofRecorded = written("recorded", recorded.lines);
  const traces = Math.ceil(CALLS_A_ROUND / Number(calls));
  const spans = traces * (Number(calls) + 1);
  const files = Array.from({ length: WARM_FILES + Number(rounds) }, (_, at) =>
    written(`conversations-${at}`, newLines(traces)),
  );
  for (let warmed = 0, at = 0; warmed < WARM_US; at++)
    warmed += await judged(files[at % WARM_FILES] ?? "", traces);
  const measured: { judge: number; parse: number; recorded: number; bytes: number }[] = [];
  for (const file of files.slice(WARM_FILES)) {
    measured.push({
      judge: (await judged(file, traces)) / spans,
      parse: parsed(file) / spans,
      recorded: parsed(ofRecorded) / recorded.spans,
      bytes: statSync(file).size / spans,
    });
  }
  process.stdout.write(JSON.stringify(measured));
} finally {
  rmSync(folder, { recursive: true });
}

function written(name: string, lines: readonly string[]): string {
  const file = join(folder, `${name}.jsonl`);
  writeFileSync(file, lines.join(""));
  return file;
}

/** A line a trace, texts never seen before. */
function newLines(traces: number): string[] {
  return Array.from({ length: traces }, () => {
    const request = conversation(dialect as HistoryDialect, form as HistoryForm, Number(calls), ++made);
    return `${JSON.stringify(request)}\n`;
  });
}

/** Microseconds of CPU from a file to verdicts. */
async function judged(file: string, traces: number): Promise<number> {
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
  if (asked !== traces * Number(calls))
    throw new Error(`${asked} model calls found of ${calls} in ${traces} traces`);
  return user + system;
}
