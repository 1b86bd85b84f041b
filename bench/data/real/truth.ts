import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { unlimitedTraceTimeouts } from "../../../src/assemble/timeouts/trace-timeouts.ts";
import { createEngine } from "../../../src/replay/engine.ts";
import type { AgentRun } from "../../../src/model/run.ts";
import { decodeRequest } from "../../../src/receive/body/decode-request.ts";
import type { ExportRequest, Recording } from "./recordings.ts";

/** Texts of a recorded run. */
export interface Contents {
  readonly query: string | null;
  readonly answer: string | null;
  readonly tools: readonly { readonly arguments?: unknown; readonly result?: unknown }[];
}

/** Reads the texts from the `expected.json` or `NAME.expected.json` beside the recording; without such a file, from the assembled runs. */
export function contentsOf(recording: Recording, requests: readonly ExportRequest[]): readonly Contents[] {
  const [file = ""] = recording.files;
  const beside = [file.replace(/\.jsonl$/, ".expected.json"), join(dirname(file), "expected.json")];
  const truth = beside.find((path) => existsSync(path));
  if (truth === undefined) return assembled(requests);
  const written = JSON.parse(readFileSync(truth, "utf8")) as Contents & {
    readonly runs?: readonly Contents[];
  };
  return written.runs ?? [written];
}

function assembled(requests: readonly ExportRequest[]): readonly Contents[] {
  const runs: AgentRun[] = [];
  const { pipeline } = createEngine({
    timeouts: unlimitedTraceTimeouts,
    quietMs: Infinity,
    attributes: [],
    prices: {},
    seed: 0,
    onRun: (run) => runs.push(run),
  });
  for (const { signal, document } of requests) {
    const decoded = decodeRequest(Buffer.from(JSON.stringify(document)), signal, "json");
    if (decoded.ok && decoded.batch !== null) pipeline.accept(decoded.batch, 0);
  }
  pipeline.drain("eof", 0);
  return runs;
}
