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

/** The run as a query may be made of it: what `fixtureText` takes out of telemetry is in none of its texts. */
export function redactedRun(run: AgentRun, redactor: Redactor | null): AgentRun {
  return redactor === null ? run : redactRun(run, redactor);
}

const personal = new Redactor({ ...nothingRedacted, detectors });

/** The text without what identifies a person or opens a door, whatever `--redact` says: names of files and queries are made of it. */
export function namingText(text: string): string {
  return personal.text(text);
}

/** The name of a fixture's file without its ending: the query's id, unless that was made of a text which identifies a person. */
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
