import { adapters } from "../../adapters/index.ts";
import { FragmentReader } from "../../src/runs/fragment-reader.ts";
import { RunStitcher } from "../../src/runs/waiting/run-stitcher.ts";
import type { AgentRun } from "../../src/model/run.ts";
import { document, logDocument, type span } from "./otlp.ts";
import { tracesOf } from "./json-spans.ts";

type Documents = readonly unknown[];

const fragments = new FragmentReader(adapters);

/** The runs that OTLP/JSON documents hold, read by all adapters, by start time. */
export function runsIn(documents: Documents): AgentRun[] {
  const joiner = new RunStitcher();
  for (const trace of tracesOf(documents)) joiner.add(fragments.read(trace), 0);
  return joiner.drain().sort((a, b) => a.startUnixMs - b.startUnixMs);
}

/** The one run of documents. */
export function runIn(documents: Documents): AgentRun {
  const [run, ...others] = runsIn(documents);
  if (run === undefined || others.length > 0) throw new Error(`${others.length + (run ? 1 : 0)} runs, not 1`);
  return run;
}

/** The one run of a few spans and log records of one instrumentation scope. */
export function runOf(
  spans: readonly ReturnType<typeof span>[],
  options: { readonly scope?: string; readonly logs?: readonly Record<string, unknown>[] } = {},
): AgentRun {
  const { scope, logs = [] } = options;
  return runIn([document(spans, scope === undefined ? {} : { scope }), logDocument(logs, scope)]);
}
