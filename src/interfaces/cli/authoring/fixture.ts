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

/** Returns traces as lines of OTLP/JSON, redacted by `redactor` if it is given. */
export function fixtureText(traces: readonly Trace[], redactor: Redactor | null): string {
  const requests = traces.flatMap((trace) => otlpJsonOf(trace));
  const lines = requests.map((request) =>
    JSON.stringify(redactor === null ? request : redactOtlp(request, redactor)),
  );
  return `${lines.join("\n")}\n`;
}

/** Returns the run from which a query is made, redacted in the same way as the fixture. */
export function redactedRun(run: AgentRun, redactor: Redactor | null): AgentRun {
  return redactor === null ? run : redactRun(run, redactor);
}

const personal = new Redactor({ ...nothingRedacted, detectors });

/** Returns a text without personal data and credentials, for names of files and queries. */
export function namingText(text: string): string {
  return personal.text(text);
}

/**
 * Returns the file name of a fixture without extension. The name begins with the query's id. If the query's text contains personal data,
 * the name begins with an id that is derived from the redacted text.
 */
export function fixtureStem(query: { readonly id: string; readonly text: string }, traceId: string): string {
  const text = namingText(query.text);
  const [made = query.id] = text === query.text ? [query.id] : assignIds([{ id: undefined, text }]);
  return `${made}-${traceId.slice(0, 8)}`;
}

/** Writes a dump into a temporary folder. `remove` deletes the folder. */
export function temporaryDump(text: string) {
  const folder = mkdtempSync(join(tmpdir(), "tracejury-"));
  const file = join(folder, "fixture.jsonl");
  writeFileSync(file, text);
  return { file, remove: () => rmSync(folder, { recursive: true }) };
}
