import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { type Format, formats, parseFormatPath } from "../../render/format-names.ts";
import { renderReport } from "../../render/formats.ts";
import { githubSummary } from "../../render/github.ts";
import type { TestResult } from "../../render/result.ts";
import { colourTheme, plainTheme } from "../../render/theme.ts";
import { UserError } from "../exit-code.ts";
import { type Io, wantsColour, write } from "../io.ts";

export interface Output {
  readonly format: Format;
  readonly path: string;
}

/** Reads each `--output FORMAT=PATH`; a `UserError` for what has not this form. */
export function parseOutputs(texts: readonly string[]): readonly Output[] {
  return texts.map((text) => {
    const output = parseFormatPath(text);
    if (output !== null) return output;
    throw new UserError(
      `--output ${text} is not understood`,
      `write --output FORMAT=PATH, as in --output json=result.json; formats: ${formats.join(", ")}`,
    );
  });
}

/**
 * The report to stdout, the others to their files, folders made as needed. In a GitHub workflow also annotations on stderr (unless
 * stdout has them) and the job's summary.
 */
export async function writeReports(
  result: TestResult,
  format: Format,
  outputs: readonly Output[],
  io: Io,
): Promise<void> {
  const theme = wantsColour(io.stdout, io.env) ? colourTheme : plainTheme;
  await write(io.stdout, renderReport(result, format, theme));
  for (const output of outputs) {
    saveReport(output.path, renderReport(result, output.format, plainTheme));
  }
  if (io.env["GITHUB_ACTIONS"] === "true" && format !== "github") {
    await write(io.stderr, renderReport(result, "github", plainTheme));
  }
  const summary = io.env["GITHUB_STEP_SUMMARY"];
  const wanted = format === "github" || io.env["GITHUB_ACTIONS"] === "true";
  if (wanted && summary !== undefined && summary !== "") appendSummary(summary, githubSummary(result));
}

function saveReport(path: string, text: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  } catch (error) {
    throw new UserError(`the report ${path} cannot be written: ${(error as Error).message}`);
  }
}

function appendSummary(path: string, text: string): void {
  try {
    appendFileSync(path, text);
  } catch (error) {
    throw new UserError(`the job summary ${path} cannot be written: ${(error as Error).message}`);
  }
}
