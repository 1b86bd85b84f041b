import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "../harness/command.ts";
import { BadOption } from "../harness/options.ts";
import { failed, leftOut, type Result } from "../harness/result.ts";
import { isWanted } from "../harness/table.ts";
import { againstAgentevals } from "./against-agentevals.ts";
import { againstPromptfoo } from "./against-promptfoo.ts";
import { findProgram } from "./program.ts";
import { type Recording, recordingsIn } from "./recordings.ts";
import type { Setting } from "./setting.ts";

const peers = [
  { name: "agentevals", install: "pip install agentevals-cli", measure: againstAgentevals },
  { name: "promptfoo", install: "npm install -g promptfoo", measure: againstPromptfoo },
] as const;
const adapters = fileURLToPath(new URL("../../../adapters", import.meta.url));

/** Where a command is that is not on the PATH. */
const place = (name: string) => ({
  absent: process.env[name.toUpperCase()] ?? "",
  shown: "PATH",
  help: `where the command is, if not on the PATH; ${name.toUpperCase()} in the environment says it, too`,
});

await run({
  script: "bench:peers",
  what: `Other evaluators and tracejury judge the same recorded runs by the same expectations, as whole processes in turn, each pinned to one core. No
model is asked, and nothing leaves this machine. What is not installed is left out, and said so.`,
  only: `one of them (${peers.map(({ name }) => name).join(", ")})`,
  isKnown: (name) => peers.some((peer) => peer.name === name),
  own: {
    runs: { absent: "1000", shown: "1000", help: "runs in the large dump", atLeast: 1 },
    asks: { absent: "12", shown: "12", help: "how often each query is put to an agent", atLeast: 2 },
    agentevals: place("agentevals"),
    promptfoo: place("promptfoo"),
    recordings: {
      absent: adapters,
      shown: "FOLDER",
      help: "NAME.jsonl beside NAME.expected.json, at any depth; the adapters' fixtures when not given",
    },
  },
  async measure({ only, rounds, own }, report) {
    const home = mkdtempSync(join(tmpdir(), "tracejury-peers-"));
    try {
      const recordings = recordingsOf(own["recordings"] ?? adapters);
      const setting = { home, recordings, rounds, runs: Number(own["runs"]), asks: Number(own["asks"]) };
      for (const peer of peers) {
        if (!isWanted(peer.name, only)) continue;
        for await (const results of resultsOf(peer, own[peer.name] ?? "", setting)) report.add(results);
      }
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  },
});

function recordingsOf(folder: string): readonly Recording[] {
  try {
    return recordingsIn(folder);
  } catch (error) {
    throw new BadOption(`--recordings: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Each figure as soon as it is measured. */
async function* resultsOf(
  { name, install, measure }: (typeof peers)[number],
  path: string,
  setting: Setting,
): AsyncGenerator<readonly Result[]> {
  try {
    const program = findProgram(name, path === "" ? undefined : path, setting.home);
    if (program === null) {
      yield [leftOut(name, `not installed: ${install}`)];
      return;
    }
    process.stderr.write(`${name} ${program.version} …\n`);
    yield* measure(program, setting);
  } catch (error) {
    yield [failed(name, null, error)];
  }
}
