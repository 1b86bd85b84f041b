import { parseArgs } from "node:util";
import { Report } from "../harness/report.ts";
import { failed, type Result } from "../harness/result.ts";
import { dump } from "./dump.ts";
import { open } from "./open.ts";
import { queries } from "./queries.ts";
import { shaped, trace } from "./trace.ts";

/*
 * npm run bench:growth [-- --only trace] [--rounds 3] [--largest 1000000] [--json FILE]: how time and memory grow with traces in a dump (a hundred
 * thousand unless more are asked for), spans in a trace, queries in a spec, and open traces of `serve`.
 */

const { values } = parseArgs({
  options: {
    only: { type: "string", multiple: true, default: [] },
    rounds: { type: "string", default: "3" },
    largest: { type: "string", default: "100000" },
    json: { type: "string" },
  },
});
const rounds = Math.max(1, Number(values.rounds));
const largest = Math.max(10_000, Number(values.largest));

const curves: Readonly<Record<string, () => Result[] | Promise<Result[]>>> = {
  queries: () => queries(rounds),
  trace: () => trace(rounds),
  shapes: () => shaped(rounds),
  open: () => open(rounds),
  dump: () => dump(rounds, largest),
};

const report = new Report(values.json);
for (const [name, curve] of Object.entries(curves)) {
  if (values.only.length > 0 && !values.only.includes(name)) continue;
  process.stderr.write(`${name} …\n`);
  const measured = async (): Promise<Result[]> => curve();
  report.add(await measured().catch((error: unknown) => [failed(`growth.${name}`, "growth", error)]));
}
