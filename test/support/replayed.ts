import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { replay } from "../../src/replay/replay.ts";
import type { AgentRun } from "../../src/model/run.ts";

/** The runs that OTLP/JSON documents hold, through the whole engine as replay uses it; by start. */
export async function replayed(...documents: readonly unknown[]): Promise<AgentRun[]> {
  const folder = mkdtempSync(join(tmpdir(), "replayed-"));
  const path = join(folder, "dump.jsonl");
  writeFileSync(path, documents.map((document) => `${JSON.stringify(document)}\n`).join(""));
  const runs: AgentRun[] = [];
  try {
    const config = { attributes: [], prices: {} };
    await replay([path], { config, stdin: process.stdin, onRun: (run) => runs.push(run) });
  } finally {
    rmSync(folder, { recursive: true });
  }
  return runs.sort((a, b) => a.startUnixMs - b.startUnixMs);
}
