import { adapters } from "../../adapters/index.ts";
import { Assembler } from "../../src/assemble/assembler.ts";
import { unlimitedTraceTimeouts } from "../../src/assemble/timeouts/trace-timeouts.ts";
import type { Trace } from "../../src/assemble/trace.ts";
import type { AgentRun } from "../../src/model/run.ts";
import { readLogsJson, readTracesJson } from "../../src/otlp/json/read-json.ts";
import type { Batch } from "../../src/otlp/rows/batch.ts";
import { FragmentReader } from "../../src/runs/fragment-reader.ts";
import { RunStitcher } from "../../src/runs/waiting/run-stitcher.ts";

const fragments = new FragmentReader(adapters);

/** The batch in an OTLP/JSON document, which has spans or log records. */
export function batchIn(document: object): Batch {
  const bytes = Buffer.from(JSON.stringify(document));
  const result = "resourceLogs" in document ? readLogsJson(bytes) : readTracesJson(bytes);
  if (!result.ok) throw new Error(result.message);
  return result.batch;
}

/** The traces in OTLP/JSON documents, which have spans or log records, sorted by start. */
export function tracesOf(documents: readonly unknown[]): Trace[] {
  const assembler = new Assembler(unlimitedTraceTimeouts, 1);
  for (const document of documents as object[]) assembler.add(batchIn(document), 0);
  return assembler.closeAll("eof", 0);
}

/** The runs in OTLP/JSON documents, read by all adapters, sorted by start. */
export function runsIn(documents: readonly unknown[]): AgentRun[] {
  const joiner = new RunStitcher();
  for (const trace of tracesOf(documents)) joiner.add(fragments.read(trace), 0);
  return joiner.drain().sort((a, b) => a.startUnixMs - b.startUnixMs);
}
