import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePorts } from "../../test/long/servers/tracejury.ts";
import { bodiesOf } from "../data/bodies.ts";
import { run } from "../harness/command.ts";
import { costOf, type Measured, pinned, startDiscarding, startServe, warm } from "../harness/measured.ts";
import type { Asked } from "../harness/options.ts";
import { residentOf } from "../harness/process-use.ts";
import type { Report } from "../harness/report.ts";
import { conclude, failed, type Result } from "../harness/result.ts";
import { Sender } from "../harness/sender.ts";
import { isWanted } from "../harness/table.ts";
import { Collector, type Pipeline } from "./collector.ts";
import { type Figure, figures } from "./figures.ts";

const groups = [...new Set(figures.map(({ name }) => name.split(".")[0]))];

await run({
  script: "long -- bench/collector",
  what: `serve compared with the OpenTelemetry Collector. Each server runs on one core; the sender and the backend run on another core. Each round
  starts new processes, first serve, then the Collector. CPU is counted until the server is idle. The first run builds the Collector with Go.`,
  only: `a goal (${groups.join(", ")}) or a figure (${figures[0]?.name})`,
  isKnown: (name) => figures.some((figure) => isWanted(figure.name, [name])),
  own: {
    recordings: {
      absent: "",
      shown: "FOLDER",
      help: "folder with recorded runs for the profile real; default: the project's recordings",
    },
  },
  measure: measureAll,
});

async function measureAll({ only, rounds, own }: Asked, report: Report): Promise<void> {
  const backend = await startDiscarding("others");
  const url = `http://127.0.0.1:${backend.ports.http}`;
  for (const figure of figures.filter(({ name }) => isWanted(name, only))) {
    const measured = measure(figure, rounds, url, own["recordings"] || undefined);
    report.add([await measured.catch((error: unknown) => failed(figure.name, null, error))]);
  }
  await backend.stop();
}

/** Cost of `serve` divided by cost of the Collector, for each round. */
async function measure(
  figure: Figure,
  rounds: number,
  backend: string,
  recordings?: string,
): Promise<Result> {
  const { name, what, atMost, profile, ours, theirs, forwards } = figure;
  const bodies = bodiesOf(profile, profile === "small" ? 256 : profile === "real" ? 32 : 16, 1, recordings);
  const cost = async (server: Promise<Measured>): Promise<number> =>
    costIn(figure, await server, new Sender(bodies, figure.form));
  const shares: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    const alone = forwards ? await cost(startServe({ ...ours, durability: "memory" })) : 0;
    const own = (await cost(startServe(forwards ? { ...ours, forwardTo: backend } : ours))) - alone;
    const other = await cost(startCollector(theirs(backend)));
    process.stderr.write(`${name} ours ${own.toFixed(2)} Collector ${other.toFixed(2)}\n`);
    shares.push(own / other);
  }
  return conclude({ name, what, goal: { atMost } }, shares);
}

async function startCollector(pipeline: Pipeline): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), "otelcol-"));
  const ports = await freePorts();
  const collector = new Collector(folder, ports, pipeline, pinned());
  await collector.start();
  return {
    ports,
    pid: collector.pid,
    async stop() {
      await collector.end("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function costIn(figure: Figure, server: Measured, sender: Sender): Promise<number> {
  const { cost, count, rate, holdS } = figure;
  try {
    if (cost !== "memory") await warm(server, sender, holdS);
    if (cost === "cpu") return await costOf(server, sender, count, holdS);
    const idle = residentOf(server.pid).now;
    const took = await sender.send(server.ports, { count, ...(rate === undefined ? {} : { rate }) });
    if (cost === "p99") return took[Math.floor(took.length * 0.99)] ?? Number.NaN;
    if (cost === "peak") {
      await sleep((holdS ?? 0) * 1000);
      return residentOf(server.pid).peak;
    }
    return (residentOf(server.pid).now - idle) / (count * sender.spansARequest);
  } finally {
    await server.stop();
  }
}
