import { run } from "../harness/command.ts";
import { failed, type Result } from "../harness/result.ts";
import { isWanted } from "../harness/table.ts";
import { attributes } from "./attributes.ts";
import { dump } from "./dump.ts";
import { open } from "./open.ts";
import { queries } from "./queries.ts";
import { shaped, trace } from "./trace.ts";

interface Size {
  readonly rounds: number;
  readonly largest: number;
}

const curves: Readonly<Record<string, (size: Size) => Result[] | Promise<Result[]>>> = {
  queries: ({ rounds }) => queries(rounds),
  trace: ({ rounds }) => trace(rounds),
  attributes: ({ rounds }) => attributes(rounds),
  shapes: ({ rounds }) => shaped(rounds),
  open: ({ rounds }) => open(rounds),
  dump: ({ rounds, largest }) => dump(rounds, largest),
};

/** Whether a curve is asked for, or one of its figures. */
function isOf(curve: string, only: readonly string[]): boolean {
  return isWanted(`growth.${curve}`, only) || only.some((name) => isWanted(name, [`growth.${curve}`]));
}

await run({
  script: "bench:growth",
  what: `How time and memory grow with traces in a dump, spans in a trace, attributes and their size, queries in a spec, and open traces of serve: each step,
and the power of the size that it grows with; more than linear is MISSED.`,
  only: `one curve (${Object.keys(curves).join(", ")}) or one of its figures (trace.power)`,
  prefix: "growth.",
  isKnown: (name) => Object.keys(curves).some((curve) => isOf(curve, [name])),
  own: {
    largest: {
      absent: "100000",
      shown: "100000",
      help: "traces in the largest dump, 10,000 or more; a tenth in the one before, and so on",
      atLeast: 10_000,
    },
  },
  async measure({ only, rounds, own }, report) {
    const size = { rounds, largest: Number(own["largest"]) };
    for (const [name, curve] of Object.entries(curves)) {
      if (!isOf(name, only)) continue;
      process.stderr.write(`${name} …\n`);
      const measured = async (): Promise<Result[]> => curve(size);
      const results = await measured().catch((error: unknown) => [failed(`growth.${name}`, "growth", error)]);
      report.add(results.filter((one) => Number.isNaN(one.value) || isWanted(one.name, only)));
    }
  },
});
