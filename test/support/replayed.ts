import { unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { replay } from "../../src/replay/replay.ts";
import type { AgentRun } from "../../src/model/run.ts";
import { temporaryFolder } from "./temporary-folder.ts";

let folder: string | undefined;
let dumps = 0;

/** The runs in OTLP/JSON documents, assembled by the engine of replay and sorted by start. */
export async function replayed(...documents: readonly unknown[]): Promise<AgentRun[]> {
  // All calls share one folder, because creating and deleting a folder takes longer than reading a small dump.
  folder ??= temporaryFolder();
  const path = join(folder, `dump-${dumps++}.jsonl`);
  writeFileSync(path, documents.map((document) => `${JSON.stringify(document)}\n`).join(""));
  const runs: AgentRun[] = [];
  try {
    const config = { attributes: [], prices: {} };
    await replay([path], { config, stdin: process.stdin, onRun: (run) => runs.push(run) });
  } finally {
    unlinkSync(path);
  }
  return runs.sort((a, b) => a.startUnixMs - b.startUnixMs);
}

/** The only run that the documents hold; throws if they hold none or several. */
export async function replayedOne(...documents: readonly unknown[]): Promise<AgentRun> {
  const [run, ...others] = await replayed(...documents);
  if (run === undefined || others.length > 0) throw new Error(`${others.length + (run ? 1 : 0)} runs`);
  return run;
}
