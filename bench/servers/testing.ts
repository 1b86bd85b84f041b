import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { run } from "../../src/interfaces/cli/main.ts";
import { conversation, type HistoryForm } from "../data/conversation.ts";
import { DumpStream, replicasOf } from "../data/real/bodies.ts";
import { specText } from "../engine.ts";
import { parsedUs } from "../harness/whole-process.ts";

/**
 * Runs `test` on dumps with new texts; each round also parses the dump and recorded runs in other processes: `node testing.js ROUNDS SPANS
 * FORM [FOLDER]`. FORM is `real` (recorded runs) or a format of conversations; for these, SPANS is the number of model calls in a trace.
 * Prints CPU in microseconds and bytes, per span, for each round. All dumps are written before measuring, because garbage of writing would
 * be collected while testing.
 */
const [rounds = "3", spans = "4000", form = "real", recordings] = process.argv.slice(2);
const isReal = form === "real";
/** CPU for warming up. Until then V8's compilers use about 40 % of the CPU. */
const WARM_US = isReal ? 20_000_000 : 6_000_000;
/** Number of dumps for warming up. With fewer dumps V8 optimises for these and compiles again for the texts of other dumps. */
const WARM_DUMPS = isReal ? 24 : 4;
const CALLS_A_DUMP = 1_000;

interface Dump {
  readonly file: string;
  readonly spans: number;
}

const folder = mkdtempSync(join(tmpdir(), "tracejury-bench-"));
const replicas = new DumpStream(replicasOf(recordings));
let made = 0;
try {
  const spec = join(folder, "spec.yaml");
  writeFileSync(spec, specText("*"));
  const recorded = written(replicas.take(2_000));
  const dumps = Array.from({ length: WARM_DUMPS + Number(rounds) }, () =>
    written(isReal ? replicas.take(Number(spans)) : conversations(Number(spans))),
  );
  for (let us = 0, at = 0; us < WARM_US; at++) us += await tested(dumps[at % WARM_DUMPS] as Dump, spec);
  const measured: object[] = [];
  for (const dump of dumps.slice(WARM_DUMPS))
    measured.push({
      test: (await tested(dump, spec)) / dump.spans,
      parse: parsedUs(dump.file) / dump.spans,
      recorded: parsedUs(recorded.file) / recorded.spans,
      bytes: statSync(dump.file).size / dump.spans,
    });
  process.stdout.write(JSON.stringify(measured));
} finally {
  rmSync(folder, { recursive: true });
}

function written({ lines, spans: count }: { lines: readonly string[]; spans: number }): Dump {
  const file = join(folder, `dump-${++made}.jsonl`);
  writeFileSync(file, lines.join(""));
  return { file, spans: count };
}

/** One line per trace, with texts that no other dump has. */
function conversations(calls: number): { lines: string[]; spans: number } {
  const traces = Math.ceil(CALLS_A_DUMP / calls);
  const lines = Array.from({ length: traces }, (_, at) => {
    const request = conversation(form as HistoryForm, calls, made * CALLS_A_DUMP + at);
    return `${JSON.stringify(request)}\n`;
  });
  return { lines, spans: traces * (calls + 1) };
}

/** CPU of `test --format json` in microseconds. */
async function tested({ file }: Dump, spec: string): Promise<number> {
  const from = process.cpuUsage();
  const ignored = new Writable({ write: (_chunk, _encoding, done) => done() });
  await run(["node", "tracejury", "test", file, "--spec", spec, "--judge", "off", "--format", "json"], {
    stdin: Readable.from([]),
    stdout: ignored as unknown as NodeJS.WriteStream,
    stderr: process.stderr,
    env: { NO_COLOR: "1" },
    cwd: folder,
  });
  const { user, system } = process.cpuUsage(from);
  return user + system;
}
