import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Report } from "../harness/report.ts";
import { failed, type Result } from "../harness/result.ts";
import { againstAgentevals } from "./against-agentevals.ts";
import { againstPromptfoo } from "./against-promptfoo.ts";
import { findProgram, type Program } from "./program.ts";
import { recordingsIn } from "./recordings.ts";
import type { Setting } from "./setting.ts";

const usage = `npm run bench:peers -- [--only agentevals|promptfoo] [--rounds 5] [--runs 1000] [--json FILE]

Other evaluators and tracejury judge the same recorded runs by the same expectations, as whole processes in turn. No model is
asked and nothing leaves this machine. What is not installed is said so, and is no error.

  --only NAME          agentevals or promptfoo
  --rounds N           interleaved rounds a figure
  --runs N             runs in the large dump
  --json FILE          the results as an array of { name, row, value, unit, goal, holds, spread, what }
  --agentevals PATH    the command, where it is not on the PATH; also AGENTEVALS in the environment
  --promptfoo PATH     likewise; also PROMPTFOO
  --recordings FOLDER  NAME.jsonl beside NAME.expected.json, at any depth; the adapters' fixtures when not given
`;

const peers = [
  { name: "agentevals", install: "pip install agentevals-cli", measure: againstAgentevals },
  { name: "promptfoo", install: "npm install -g promptfoo", measure: againstPromptfoo },
] as const;

const { values } = parseArgs({
  options: {
    only: { type: "string", multiple: true, default: [] },
    rounds: { type: "string", default: "5" },
    runs: { type: "string", default: "1000" },
    json: { type: "string" },
    agentevals: { type: "string", default: process.env.AGENTEVALS ?? "" },
    promptfoo: { type: "string", default: process.env.PROMPTFOO ?? "" },
    recordings: { type: "string", default: fileURLToPath(new URL("../../../adapters", import.meta.url)) },
    help: { type: "boolean", default: false },
  },
});
const wanted = peers.filter(({ name }) => values.only.length === 0 || values.only.includes(name));
if (values.help) {
  process.stdout.write(usage);
} else if (wanted.length === 0) {
  process.stderr.write(`nothing is named ${values.only.join(" or ")}\n\n${usage}`);
  process.exitCode = 2;
} else {
  await measureAll();
}

async function measureAll(): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), "tracejury-peers-"));
  const report = new Report(values.json);
  try {
    const setting = {
      home,
      recordings: recordingsIn(values.recordings),
      rounds: Math.max(1, Math.trunc(Number(values.rounds)) || 1),
      runs: Math.max(1, Math.trunc(Number(values.runs)) || 1),
    };
    for (const peer of wanted) report.add(await resultsOf(peer, setting));
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
  if (report.results.some(({ holds }) => holds === false)) process.exitCode = 1;
}

async function resultsOf(
  { name, install, measure }: (typeof peers)[number],
  setting: Setting,
): Promise<Result[]> {
  try {
    const named = values[name] === "" ? undefined : values[name];
    const program: Program | null = findProgram(name, named, setting.home);
    if (program === null) return [notInstalled(name, install)];
    process.stderr.write(`${name} ${program.version} …\n`);
    return await measure(program, setting);
  } catch (error) {
    return [failed(name, null, error)];
  }
}

function notInstalled(name: string, install: string): Result {
  const what = `not installed: ${install}`;
  return { ...failed(name, null, what), holds: null, what };
}
