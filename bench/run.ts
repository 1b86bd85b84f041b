import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { evaluate } from "./cases/evaluate.ts";
import { decode } from "./cases/decode.ts";
import { forward } from "./cases/forward.ts";
import { journal } from "./cases/journal.ts";
import { memory } from "./cases/memory.ts";
import { receive } from "./cases/receive.ts";
import { replay } from "./cases/replay.ts";
import { stages } from "./cases/stages.ts";
import type { Settings } from "./harness/case.ts";
import type { Result } from "./harness/result.ts";
import { isWanted, table } from "./harness/table.ts";

const cases = [decode, stages, evaluate, replay, receive, memory, forward, journal];
const fixtures = fileURLToPath(new URL("../../test/fixtures/runs", import.meta.url));

const usage = `npm run bench -- [--only NAME] [--json FILE] [--rounds 7] [--recordings FOLDER]

  --only NAME          one group (${cases.map(({ name }) => name).join(", ")}), one of its figures (replay.json.genai)
                       or all figures of a goal (L1); may be given several times
  --json FILE          the results as an array of { name, row, value, unit, goal, holds, spread, what }
  --rounds N           interleaved rounds a figure
  --recordings FOLDER  OTLP/JSON lines to decode besides the generated data; the test fixtures when not given
`;

const { values } = parseArgs({
  options: {
    only: { type: "string", multiple: true, default: [] },
    json: { type: "string" },
    rounds: { type: "string", default: "7" },
    recordings: { type: "string", default: fixtures },
    help: { type: "boolean", default: false },
  },
});

if (values.help) {
  process.stdout.write(usage);
} else {
  const settings = {
    rounds: Math.max(1, Number(values.rounds)),
    sampleMs: 250,
    recordings: values.recordings,
  };
  const results = await measureAll(settings, values.only);
  process.stdout.write(`${table(results)}\n`);
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(results, null, 2)}\n`);
  if (results.length === 0) {
    process.stderr.write(`nothing is named ${values.only.join(" or ")}\n\n${usage}`);
    process.exitCode = 2;
  }
}

async function measureAll(settings: Settings, only: readonly string[]): Promise<Result[]> {
  const results: Result[] = [];
  for (const one of cases) {
    const mayHave = (name: string): boolean => one.rows.includes(name) || name.startsWith(`${one.name}.`);
    if (!isWanted(one.name, only) && !only.some(mayHave)) continue;
    process.stderr.write(`${one.name} …\n`);
    const wanted = ({ name, row }: Result): boolean =>
      isWanted(name, only) || (row !== null && only.includes(row));
    results.push(...(await one.run(settings)).filter(wanted));
  }
  return results;
}
