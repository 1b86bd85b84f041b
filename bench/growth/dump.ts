import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { agentSpans, requestOf } from "../data/agent-spans.ts";
import { pin } from "../harness/child.ts";
import type { Result } from "../harness/result.ts";
import { against, at, type Step, stepsOf } from "./growth.ts";

const replaying = fileURLToPath(new URL("../servers/replaying.js", import.meta.url));
const SPANS = 4;
/** Traces a line. */
const A_LINE = 50;

/** Files of more and more traces: time a trace, and the most memory that the process takes. */
export function dump(rounds: number, largest: number): Result[] {
  const folder = mkdtempSync(join(tmpdir(), "tracejury-growth-"));
  try {
    const sizes: number[] = [];
    for (let size = 1_000; size <= largest; size *= 10) sizes.push(size);
    const files = sizes.map((size) => writeDump(join(folder, `${size}.jsonl`), size));
    const told = sizes.map((size, index) =>
      Array.from({ length: rounds }, () => replay(files[0] ?? "", files[index] ?? "", size)),
    );
    const time = told.map((all, index) =>
      step(
        sizes[index],
        all.map(({ cpu }) => cpu),
      ),
    );
    const memory = told.map((all, index) =>
      step(
        sizes[index],
        all.map(({ peak }) => peak),
      ),
    );
    const [large, small] = [sizes.at(-1) ?? 0, sizes[0] ?? 0];
    const before = sizes.at(-2) ?? small;
    const what = `${large} traces in a file against`;
    return [
      ...stepsOf({
        name: "growth.dump",
        what: "file to verdicts, a trace of four spans",
        unit: "µs",
        steps: time,
      }),
      ...stepsOf({ name: "growth.dump.memory", what: "resident at most", unit: "MiB", steps: memory }),
      against(
        "growth.dump.time",
        { atMost: 1.15 },
        `time a trace, ${what} ${small}`,
        at(time, large),
        at(time, small),
      ),
      against(
        "growth.dump.flat",
        { atMost: 1.25 },
        `memory, ${what} ${before}`,
        at(memory, large),
        at(memory, before),
      ),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function step(size = 0, costs: readonly number[] = []): Step {
  return { size, costs };
}

function writeDump(path: string, traces: number): string {
  const file = openSync(path, "w");
  for (let from = 0; from < traces; from += A_LINE) {
    const some = Array.from({ length: Math.min(A_LINE, traces - from) }, (_, index) =>
      agentSpans(from + index, SPANS),
    );
    writeSync(file, `${JSON.stringify(requestOf(some.flat()))}\n`);
  }
  closeSync(file);
  return path;
}

/** In a process of its own, which has judged a small file before. */
function replay(warm: string, file: string, traces: number): { cpu: number; peak: number } {
  const [command, args] = pin(process.execPath, [replaying, warm, file]);
  const told = JSON.parse(execFileSync(command, args).toString()) as {
    cpu: number;
    peak: number;
    runs: number;
  };
  if (told.runs !== traces) throw new Error(`${told.runs} of ${traces} runs were judged`);
  return { cpu: told.cpu / traces, peak: told.peak };
}
