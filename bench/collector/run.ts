import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Report } from "../harness/report.ts";
import { conclude, failed, type Result } from "../harness/result.ts";
import { isWanted } from "../harness/table.ts";
import { buildCollector } from "./build.ts";
import { type Figure, figures } from "./figures.ts";
import { type Load, send } from "./load.ts";
import { type Server, startBackend, startCollector, startOurs } from "./sides.ts";

/*
 * npm run bench:collector [-- --only P4] [--rounds 3] [--json FILE]: serve against the OpenTelemetry Collector, each pinned to one core, the sender and
 * the backend to another, in interleaved rounds of processes of their own. Costs are until the server works no more. Needs Go the first time.
 */

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "3" },
    only: { type: "string", multiple: true, default: [] },
    json: { type: "string" },
  },
});
const rounds = Math.max(1, Number(values.rounds));
const built = buildCollector();
const bodiesFolder = join(fileURLToPath(new URL("../../..", import.meta.url)), "dist/collector/bodies");
const backend = await startBackend();
const report = new Report(values.json);
for (const figure of figures) {
  if (!isWanted(figure.name, values.only)) continue;
  report.add(await measure(figure).catch((error: unknown) => [failed(figure.name, null, error)]));
}
backend.close();

/** Ours divided by theirs, round by round. */
async function measure(figure: Figure): Promise<Result[]> {
  const { name, what, atMost, without } = figure;
  const shares: number[] = [];
  const added: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    const ours = await cost(figure, "ours", round);
    const theirs = await cost(figure, "theirs", round);
    process.stderr.write(`${name} ours ${ours.toFixed(2)} Collector ${theirs.toFixed(2)}\n`);
    shares.push(ours / theirs);
    if (without === undefined) continue;
    const base = { ...figure, ...without };
    added.push((ours - (await cost(base, "ours", round))) / (theirs - (await cost(base, "theirs", round))));
  }
  const goal = atMost === undefined ? {} : { goal: { atMost } };
  const own = conclude({ name, what, ...goal }, shares);
  if (added.length === 0) return [own];
  return [own, conclude({ name: `${name}.added`, what: "of that, what sending on adds", ...goal }, added)];
}

async function cost(figure: Figure, side: "ours" | "theirs", round: number): Promise<number> {
  const server = await start(figure, side);
  const sent = (load: Load) => send(built.sender, bodiesFolder, server, load);
  const { load, warm } = figure;
  try {
    if (warm !== undefined) await sent({ ...warm, seed: round });
    const { cpu, peak, idle, spans, p99 } = await sent({ ...load, seed: round + 100 });
    if (figure.cost === "cpu") return (cpu * 1e6) / spans;
    return figure.cost === "memory" ? (peak - idle) / spans : p99;
  } finally {
    await server.stop();
  }
}

function start({ ours, theirs }: Figure, side: "ours" | "theirs"): Promise<Server> {
  if (side === "theirs") return startCollector(built.collector, theirs, backend.url);
  const { forwards = false, ...served } = ours;
  return startOurs(forwards ? { ...served, forwardTo: backend.url } : served);
}
