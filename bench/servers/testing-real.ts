import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { run } from "../../src/interfaces/cli/main.ts";
import { DumpStream, replicasOf } from "../data/real/bodies.ts";
import { specText } from "../engine.ts";
import { parsed } from "../harness/parsed.ts";

/**
 * A process that tests dumps of recorded runs, each of them new; their lines are parsed in the same round, in another process: `node testing-real.js ROUNDS SPANS
 * [FOLDER]`. Writes for each round the microseconds of CPU a span that either took. All dumps are written before anything is measured: what is
 * left over from making one would be collected as part of testing it.
 */
const [rounds = "3", spans = "4000", recordings] = process.argv.slice(2);
/** V8 optimises for so long: until then two fifths of the CPU is its compiler's. */
const WARM_US = 20_000_000;
/** Dumps that it does so with, over and over: with fewer it optimises for these, and starts again at what is new in others. */
const WARM_DUMPS = 24;

interface Dump {
  readonly file: string;
  readonly spans: number;
}

const folder = mkdtempSync(join(tmpdir(), "tracejury-bench-"));
try {
  const spec = join(folder, "spec.yaml");
  writeFileSync(spec, specText("*"));
  const dumps = written(WARM_DUMPS + Number(rounds));
  const warming = dumps.slice(0, WARM_DUMPS);
  for (let warmed = 0, at = 0; warmed < WARM_US; at++) {
    const dump = warming[at % WARM_DUMPS] as Dump;
    warmed += await tested(dump, spec);
  }
  const measured: { test: number; parse: number }[] = [];
  for (const dump of dumps.slice(WARM_DUMPS)) {
    const test = (await tested(dump, spec)) / dump.spans;
    measured.push({ test, parse: parsed(dump.file) / dump.spans });
  }
  process.stdout.write(JSON.stringify(measured));
} finally {
  rmSync(folder, { recursive: true });
}

function written(count: number): readonly Dump[] {
  const stream = new DumpStream(replicasOf(recordings));
  return Array.from({ length: count }, (_, at) => {
    const file = join(folder, `dump-${at}.jsonl`);
    const dump = stream.take(Number(spans));
    writeFileSync(file, dump.lines.join(""));
    return { file, spans: dump.spans };
  });
}

/** Microseconds of CPU of `test --format json`. */
async function tested({ file }: Dump, spec: string): Promise<number> {
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

function ignored(): NodeJS.WriteStream {
  const stream = new Writable({ write: (_chunk, _encoding, done) => done() });
  return stream as unknown as NodeJS.WriteStream;
}
