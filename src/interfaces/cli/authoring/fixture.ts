import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { otlpJsonOf } from "../../../authoring/otlp-json.ts";
import type { Trace } from "../../../assemble/trace.ts";
import { detectors } from "../../../support/redact/detectors/detectors.ts";
import type { AgentRun } from "../../../model/run.ts";
import { redactRun } from "../../../support/redact/redact-run.ts";
import { redactOtlp } from "../../../support/redact/redact-otlp.ts";
import { nothingRedacted, Redactor } from "../../../support/redact/redactor.ts";
import { assignIds } from "../../../spec/compile/ids.ts";

/** Traces as lines of OTLP/JSON, redacted. */
export function fixtureText(traces: readonly Trace[], redactor: Redactor | null): string {
  const requests = traces.flatMap((trace) => otlpJsonOf(trace));
  const lines = requests.map((request) =>
    JSON.stringify(redactor === null ? request : redactOtlp(request, redactor)),
  );
  return `${lines.join("\n")}\n`;
}

/** The run for a query, with the same texts removed as in `fixtureText`. */
export function redactedRun(run: AgentRun, redactor: Redactor | null): AgentRun {
  return redactor === null ? run : redactRun(run, redactor);
}

const personal = new Redactor({ ...nothingRedacted, detectors });

/** The text without personal data and credentials, whatever `--redact` is, for names of files and queries. */
export function namingText(text: string): string {
  return personal.text(text);
}

/** File name of a fixture without extension: the query's id, unless it comes from a text with personal data. */
export function fixtureStem(query: { readonly id: string; readonly text: string }, traceId: string): string {
  const text = namingText(query.text);
  const [made = query.id] = text === query.text ? [query.id] : assignIds([{ id: undefined, text }]);
  return `${made}-${traceId.slice(0, 8)}`;
}

export interface TemporaryDump {
  readonly file: string;
  readonly remove: () => void;
}

/** The text as a dump in a folder of its own, until `remove` is called. */
export function temporaryDump(text: string): TemporaryDump {
  const folder = mkdtempSync(join(tmpdir(), "tracejury-"));
  const file = join(folder, "fixture.jsonl");
  writeFileSync(file, text);
  return { file, remove: () => rmSync(folder, { recursive: true }) };
}
