import { fileURLToPath } from "node:url";
import { evaluate } from "./cases/evaluate.ts";
import { decode } from "./cases/decode.ts";
import { memory } from "./cases/memory.ts";
import { real } from "./cases/real.ts";
import { receive } from "./cases/receive.ts";
import { replay } from "./cases/replay.ts";
import type { Figure, Settings } from "./harness/case.ts";
import { run } from "./harness/command.ts";
import type { Report } from "./harness/report.ts";
import { failed } from "./harness/result.ts";
import { isAsked, isWanted } from "./harness/table.ts";

const cases = [real, decode, evaluate, replay, receive, memory];
const fixtures = fileURLToPath(new URL("../../test/fixtures/runs", import.meta.url));
const all = cases.flatMap(({ figures }) => figures);

await run({
  script: "bench",
  what: "Speed of each stage, as ratios to a limit or another program that is measured in the same run.",
  only: `a group (${cases.map(({ name }) => name).join(", ")}), one of its figures (replay.json.genai) or all figures of a goal (L1)`,
  isKnown: (name) => all.some((figure) => isOf(figure, [name])),
  own: {
    recordings: {
      absent: "",
      shown: "FOLDER",
      help: "folder with recorded runs for the profile real, which are also decoded; default: the project's recordings",
    },
  },
  measure: ({ only, rounds, own }, report) =>
    measureAll(
      {
        rounds,
        sampleMs: 200,
        recordings: own["recordings"] || fixtures,
        replicated: own["recordings"] || undefined,
      },
      only,
      report,
    ),
});

async function measureAll(settings: Settings, only: readonly string[], report: Report): Promise<void> {
  for (const figure of all.filter((one) => isOf(one, only))) {
    const results = await measured(figure, settings);
    report.add(results.filter(({ name, row }) => isAsked(name, row, only)));
  }
}

function isOf({ names, rows }: Figure, only: readonly string[]): boolean {
  return names.some((name) => isWanted(name, only)) || rows.some((row) => only.includes(row));
}

/** If a figure cannot be measured, the others are still measured. */
async function measured(figure: Figure, settings: Settings): ReturnType<typeof resultsOf> {
  return resultsOf(figure, settings).catch((error: unknown) =>
    figure.names.map((name) => failed(name, figure.rows[0] ?? null, error)),
  );
}

async function resultsOf(figure: Figure, settings: Settings) {
  return figure.measure(settings);
}
