import { readFileSync, writeFileSync } from "node:fs";
import { parseJson } from "../../model/json.ts";
import { prometheusText } from "../../render/prometheus.ts";
import { type ResultJson, resultSchema } from "../../render/verdict-schema.ts";
import { ExitCode, UserError } from "../exit-code.ts";
import { type Io, write } from "../io.ts";

export interface ExportMetricsOptions {
  /** A file in place of stdout. */
  readonly output?: string;
}

/** Writes a saved result of `test --format json` in the Prometheus text format. */
export async function exportMetrics(file: string, options: ExportMetricsOptions, io: Io): Promise<ExitCode> {
  const { verdicts, summary } = readResult(file);
  const text = prometheusText(verdicts, summary);
  if (options.output === undefined) await write(io.stdout, text);
  else writeFileSync(options.output, text);
  return ExitCode.passed;
}

function readResult(file: string): ResultJson {
  const read = resultSchema.safeParse(parseJson(textOf(file)));
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const where = issue === undefined || issue.path.length === 0 ? "" : `${issue.path.map(String).join(".")}: `;
  throw new UserError(
    `${file} is no result of test: ${where}${issue?.message ?? ""}`,
    "write one with: tracejury test DUMP --spec FILE --output json=result.json",
  );
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new UserError(`${file} cannot be read: ${(error as Error).message}`);
  }
}
