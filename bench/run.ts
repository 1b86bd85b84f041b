import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { adapt } from "./cases/adapters.ts";
import { evaluate } from "./cases/evaluate.ts";
import { decode } from "./cases/decode.ts";
import { forward } from "./cases/forward.ts";
import { journal } from "./cases/journal.ts";
import { memory } from "./cases/memory.ts";
import { receive } from "./cases/receive.ts";
import { replay } from "./cases/replay.ts";
import { stages } from "./cases/stages.ts";
import type { Figure, Settings } from "./harness/case.ts";
import { Report } from "./harness/report.ts";
import { failed } from "./harness/result.ts";
import { isWanted } from "./harness/table.ts";

const cases = [decode, stages, adapt, evaluate, replay, receive, memory, forward, journal];
const fixtures = fileURLToPath(new URL("../../test/fixtures/runs", import.meta.url));

const usage = `npm run bench -- [--only NAME] [--json FILE] [--rounds 3] [--recordings FOLDER]

  --only NAME          one group (${cases.map(({ name }) => name).join(", ")}), one of its figures (replay.json.genai)
                       or all figures of a goal (L1); may be given several times
  --json FILE          the results as an array of { name, row, value, unit, goal, holds, spread, what }
  --rounds N           interleaved rounds a figure; more for a narrower spread
  --recordings FOLDER  OTLP/JSON lines to decode besides the generated data; the test fixtures when not given
`;

const { values } = parseArgs({
  options: {
    only: { type: "string", multiple: true, default: [] },
    json: { type: "string" },
    rounds: { type: "string", default: "3" },
    recordings: { type: "string", default: fixtures },
    help: { type: "boolean", default: false },
  },
});

if (values.help) {
  process.stdout.write(usage);
} else {
  const settings = {
    rounds: Math.max(1, Number(values.rounds)),
    sampleMs: 200,
    recordings: values.recordings,
  };
  const report = new Report(values.json);
  await measureAll(settings, values.only, report);
  if (report.results.length === 0) {
    process.stderr.write(`nothing is named ${values.only.join(" or ")}\n\n${usage}`);
    process.exitCode = 2;
  } else if (report.results.some(({ value }) => Number.isNaN(value))) {
    process.exitCode = 1;
  }
}

async function measureAll(settings: Settings, only: readonly string[], report: Report): Promise<void> {
  const isAsked = (name: string, rows: readonly string[]): boolean =>
    isWanted(name, only) || rows.some((row) => only.includes(row));
  for (const { figures } of cases) {
    for (const figure of figures) {
      if (!figure.names.some((name) => isAsked(name, figure.rows))) continue;
      const results = await measured(figure, settings);
      report.add(results.filter(({ name, row }) => isAsked(name, row === null ? [] : [row])));
    }
  }
}

/** One figure that cannot be measured keeps the others from nothing. */
async function measured(figure: Figure, settings: Settings): ReturnType<typeof resultsOf> {
  return resultsOf(figure, settings).catch((error: unknown) =>
    figure.names.map((name) => failed(name, figure.rows[0] ?? null, error)),
  );
}

async function resultsOf(figure: Figure, settings: Settings) {
  return figure.measure(settings);
}
