import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { agentSpans, requestOf } from "../data/agent-spans.ts";
import { pin } from "../harness/child.ts";
import type { Result } from "../harness/result.ts";
import { against, at, figuresOf, type Step } from "./growth.ts";

const replaying = fileURLToPath(new URL("../servers/replaying.js", import.meta.url));
const SPANS = 4;
/** How often the smallest file is judged before: 80,000 spans, the engine still compiles during the first 50,000. */
const WARM = 20;
/** A smaller file is judged so often that it comes to as many traces: one alone is done before garbage is collected, and would not pay for it. */
const LEAST = 10_000;
/** Traces a line. */
const A_LINE = 50;

/**
 * Files of more and more traces: time a trace, and the most memory that the process takes. Each is judged in a process that has judged the smallest one
 * WARM times before: what is compared is growth, and not how much of each file goes into compiling.
 */
export function dump(rounds: number, largest: number): Result[] {
  const folder = mkdtempSync(join(tmpdir(), "tracejury-growth-"));
  try {
    const sizes: number[] = [];
    for (let size = 1_000; size <= largest; size *= 10) sizes.push(size);
    const files = sizes.map((size) => writeDump(join(folder, `${size}.jsonl`), size));
    const told = sizes.map((size, index) =>
      Array.from({ length: rounds }, () => replay(files[0] ?? "", files[index] ?? "", size)),
    );
    const steps = (of: "cpu" | "peak"): Step[] =>
      sizes.map((size, index) => ({ size, costs: (told[index] ?? []).map((one) => one[of]) }));
    const [time, memory] = [steps("cpu"), steps("peak")];
    const [large, small] = [sizes.at(-1) ?? 0, sizes[0] ?? 0];
    const before = sizes.at(-2) ?? small;
    const what = `${large} traces in a file against`;
    return [
      ...figuresOf({
        name: "growth.dump",
        what: "file to verdicts, a trace of four spans",
        unit: "µs",
        steps: time,
        of: "traces in a file",
        costs: "of each",
      }),
      ...figuresOf({
        name: "growth.dump.memory",
        what: "resident at most",
        unit: "MiB",
        steps: memory,
        of: "traces in a file",
        costs: "of all",
        atMost: 0.1,
      }),
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

/** In a process of its own, which has judged a small file some times before. */
function replay(small: string, file: string, traces: number): { cpu: number; peak: number } {
  const times = Math.max(1, LEAST / traces);
  const args = [replaying, String(WARM), small, String(times), file];
  const told = JSON.parse(execFileSync(...pin(process.execPath, args)).toString()) as {
    cpu: number;
    peak: number;
    runs: number;
  };
  if (told.runs !== traces * times) throw new Error(`${told.runs} of ${traces * times} runs were judged`);
  return { cpu: told.cpu / told.runs, peak: told.peak };
}
