import { writeFileSync } from "node:fs";
import { prometheusText } from "../../../../report/render/formats/prometheus.ts";
import { readResult } from "../../../../replay/reports/result-files.ts";
import { ExitCode, type Io, write } from "../../../../support/process/io.ts";

export interface ExportMetricsOptions {
  /** Output file. The default is stdout. */
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
