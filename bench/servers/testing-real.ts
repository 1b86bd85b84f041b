import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { run } from "../../src/interfaces/cli/main.ts";
import { type Dump, DumpStream, replicasOf } from "../data/real/bodies.ts";
import { specText } from "../engine.ts";

/**
 * A process that tests dumps of recorded runs, each of them new, and parses their lines in the same round: `node testing-real.js ROUNDS SPANS
 * [FOLDER]`. Writes for each round the microseconds of CPU a span that either took.
 */
const [rounds = "3", spans = "4000", recordings] = process.argv.slice(2);
/** V8 optimises for so long: until then two fifths of the CPU is its compiler's. */
const WARM_US = 20_000_000;
const PARSE_US = 200_000;

const folder = mkdtempSync(join(tmpdir(), "tracejury-bench-"));
try {
  const stream = new DumpStream(replicasOf(recordings));
  const spec = join(folder, "spec.yaml");
  writeFileSync(spec, specText("*"));
  for (let warmed = 0; warmed < WARM_US;) {
    const dump = stream.take(Number(spans));
    warmed += (await tested(dump, spec)) + parsed(dump);
  }
  const measured: { test: number; parse: number }[] = [];
  for (let round = 0; round < Number(rounds); round++) {
    const dump = stream.take(Number(spans));
    const isTestedFirst = round % 2 === 0;
    const before = isTestedFirst ? await tested(dump, spec) : 0;
    const parse = parsed(dump) / dump.spans;
    const test = (isTestedFirst ? before : await tested(dump, spec)) / dump.spans;
    measured.push({ test, parse });
  }
  process.stdout.write(JSON.stringify(measured));
} finally {
  rmSync(folder, { recursive: true });
}

/** Microseconds of CPU of `test --format json`. */
async function tested({ lines }: Dump, spec: string): Promise<number> {
  const file = join(folder, "dump.jsonl");
  writeFileSync(file, lines.join(""));
  const from = process.cpuUsage();
  await run(["node", "tracejury", "test", file, "--spec", spec, "--judge", "off", "--format", "json"], {
    stdin: Readable.from([]),
    stdout: ignored(),
    stderr: process.stderr,
    env: { NO_COLOR: "1" },
    cwd: folder,
  });
  const { user, system } = process.cpuUsage(from);
  return user + system;
}

/** Microseconds of CPU of `JSON.parse` of all lines once. */
function parsed({ lines }: Dump): number {
  const from = process.cpuUsage();
  for (let times = 1; ; times++) {
    for (const line of lines) JSON.parse(line);
    const { user, system } = process.cpuUsage(from);
    if (user + system >= PARSE_US) return (user + system) / times;
  }
}

function ignored(): NodeJS.WriteStream {
  const stream = new Writable({ write: (_chunk, _encoding, done) => done() });
  return stream as unknown as NodeJS.WriteStream;
}
