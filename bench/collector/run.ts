import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "../harness/command.ts";
import type { Asked } from "../harness/options.ts";
import type { Report } from "../harness/report.ts";
import { conclude, failed, type Result } from "../harness/result.ts";
import { isWanted } from "../harness/table.ts";
import { buildCollector, type Built } from "./build.ts";
import { type Figure, figures } from "./figures.ts";
import { type Load, send } from "./load.ts";
import { type Server, startBackend, startCollector, startOurs } from "./sides.ts";

const groups = [...new Set(figures.map(({ name }) => name.split(".")[0]))];

await run({
  script: "bench:collector",
  what: `serve against the OpenTelemetry Collector, each pinned to one core, the sender and the backend to another, in interleaved rounds of processes
of their own. Costs are until the server works no more. Needs Go the first time.`,
  only: `one goal (${groups.join(", ")}) or one of its figures (${figures[0]?.name})`,
  isKnown: (name) => figures.some((figure) => isOf(figure, [name])),
  own: {
    recordings: {
      absent: "",
      shown: "FOLDER",
      help: "recorded runs that the profile real is made of; the project's fixtures when not given",
    },
  },
  measure: measureAll,
});

function isOf({ name, without }: Figure, only: readonly string[]): boolean {
  return isWanted(name, only) || (without !== undefined && only.includes(`${name}.added`));
}

/** What the two sides need. */
interface Setting extends Built {
  readonly bodies: string;
  readonly backend: string;
  readonly recordings: string | undefined;
}

async function measureAll({ only, rounds, own }: Asked, report: Report): Promise<void> {
  const bodies = join(fileURLToPath(new URL("../../..", import.meta.url)), "dist/collector/bodies");
  const built = buildCollector();
  const backend = await startBackend();
  const setting = { ...built, bodies, backend: backend.url, recordings: own["recordings"] || undefined };
  for (const figure of figures.filter((one) => isOf(one, only))) {
    const results = await measure(figure, rounds, setting).catch((error: unknown) => [
      failed(figure.name, null, error),
    ]);
    report.add(results.filter(({ name, value }) => Number.isNaN(value) || isWanted(name, only)));
  }
  backend.close();
}

/** Ours divided by theirs, round by round. */
async function measure(figure: Figure, rounds: number, setting: Setting): Promise<Result[]> {
  const { name, what, atMost, without } = figure;
  const shares: number[] = [];
  const added: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    const cost = (of: Figure, side: "ours" | "theirs") => costOf(of, side, round, setting);
    const ours = await cost(figure, "ours");
    const theirs = await cost(figure, "theirs");
    process.stderr.write(`${name} ours ${ours.toFixed(2)} Collector ${theirs.toFixed(2)}\n`);
    shares.push(ours / theirs);
    if (without === undefined) continue;
    const base = { ...figure, ...without };
    added.push((ours - (await cost(base, "ours"))) / (theirs - (await cost(base, "theirs"))));
  }
  const goal = atMost === undefined ? {} : { goal: { atMost } };
  const own = conclude({ name, what, ...goal }, shares);
  if (added.length === 0) return [own];
  return [own, conclude({ name: `${name}.added`, what: "of that, what sending on adds", ...goal }, added)];
}

async function costOf(
  figure: Figure,
  side: "ours" | "theirs",
  round: number,
  setting: Setting,
): Promise<number> {
  const server = await start(figure, side, setting);
  const sent = (load: Load) =>
    send(setting.sender, setting.bodies, server, { ...load, recordings: setting.recordings });
  const { load, warm } = figure;
  try {
    // Twice: what the first leaves open ends while the second is sent, and is handled by code that nothing else needs.
    if (warm !== undefined) for (const again of [0, 50]) await sent({ ...warm, seed: round + again });
    const { cpu, peak, idle, spans, p99 } = await sent({ ...load, seed: round + 100 });
    if (figure.cost === "cpu") return (cpu * 1e6) / spans;
    if (figure.cost === "peak") return peak;
    return figure.cost === "memory" ? (peak - idle) / spans : p99;
  } finally {
    await server.stop();
  }
}

function start({ ours, theirs }: Figure, side: "ours" | "theirs", setting: Setting): Promise<Server> {
  if (side === "theirs") return startCollector(setting.collector, theirs, setting.backend);
  const { forwards = false, ...served } = ours;
  return startOurs(forwards ? { ...served, forwardTo: setting.backend } : served);
}
