import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { escapeControls } from "../../support/structures/control-characters.ts";
import { type Format, formats, parseFormatPath } from "../../report/render/formats/format-names.ts";
import type { Detail } from "../../report/render/terminal/console.ts";
import { renderReport, reportPieces } from "../../report/render/formats/formats.ts";
import { githubSummary } from "../../report/render/formats/github.ts";
import type { TestResult } from "../../report/render/json/result.ts";
import { colourTheme, plainTheme } from "../../report/render/terminal/theme.ts";
import { UserError } from "../../support/process/exit-code.ts";
import { type Io, wantsColour, write } from "../../support/process/io.ts";
import { packageFolder } from "../../support/process/package-folder.ts";
import type { ReportPage } from "../../report/render/html/html.ts";

export interface ReportFile {
  readonly format: Format;
  readonly path: string;
}

/**
 * Reads each `--output FORMAT=PATH` and makes sure that it can be written, before anything is judged. @throws UserError for another form,
 * for two reports to one file, and for a file that cannot be written
 */
export function openOutputs(texts: readonly string[]): readonly ReportFile[] {
  const outputs = parseOutputs(texts);
  const taken = new Set<string>();
  for (const { path } of outputs) {
    if (path === "-") {
      throw new UserError("--output writes files", "--format chooses the report on standard output");
    }
    if (taken.has(resolve(path))) {
      throw new UserError(`two reports are to be written to ${path}`, "give each --output its own path");
    }
    taken.add(resolve(path));
  }
  for (const { path } of outputs) written(path, () => tryToWrite(path));
  return outputs;
}

/** Leaves no empty file: where nothing comes to be reported, an empty file is not mistaken for a report. */
function tryToWrite(path: string): void {
  const isNew = !existsSync(path);
  closeSync(openSync(path, "a"));
  if (isNew) rmSync(path);
}

function parseOutputs(texts: readonly string[]): readonly ReportFile[] {
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
  outputs: readonly ReportFile[],
  io: Io,
  detail?: Detail,
): Promise<void> {
  const theme = wantsColour(io.stdout, io.env) ? colourTheme : plainTheme;
  const isHtml = [format, ...outputs.map((output) => output.format)].includes("html");
  const options = { detail, page: isHtml ? readReportPage() : undefined };
  for (const text of gathered(reportPieces(result, format, theme, options))) await write(io.stdout, text);
  for (const output of outputs) {
    saveReport(output.path, reportPieces(result, output.format, plainTheme, { page: options.page }));
  }
  if (io.env["GITHUB_ACTIONS"] === "true" && format !== "github") {
    await write(io.stderr, renderReport(result, "github", plainTheme));
  }
  const summary = io.env["GITHUB_STEP_SUMMARY"];
  const wanted = format === "github" || io.env["GITHUB_ACTIONS"] === "true";
  if (wanted && summary !== undefined && summary !== "") appendSummary(summary, githubSummary(result));
}

function saveReport(path: string, pieces: Iterable<string>): void {
  written(path, () => {
    const file = openSync(path, "w");
    try {
      for (const text of gathered(pieces)) writeSync(file, escapeControls(text));
    } finally {
      closeSync(file);
    }
  });
}

/** Runs what writes the file, its folders made. */
function written(path: string, write: () => void): void {
  try {
    makeFolder(dirname(resolve(path)));
    write();
  } catch (error) {
    throw new UserError(`the report ${path} cannot be written: ${(error as Error).message}`);
  }
}

/** Node's own way to make folders in folders does not come back where none can be made, as below /proc. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path);
}

/** About as much as is written at a time, in UTF-16 units. Longer texts would not be gone with what is young, and pile up. */
const CHUNK_LENGTH = 1 << 15;

/** Pieces put together into chunks that are worth a write. */
function* gathered(pieces: Iterable<string>): Generator<string> {
  let parts: string[] = [];
  let length = 0;
  for (const piece of pieces) {
    parts.push(piece);
    length += piece.length;
    if (length < CHUNK_LENGTH) continue;
    yield parts.join("");
    parts = [];
    length = 0;
  }
  if (parts.length > 0) yield parts.join("");
}

function appendSummary(path: string, text: string): void {
  try {
    appendFileSync(path, escapeControls(text));
  } catch (error) {
    throw new UserError(`the job summary ${path} cannot be written: ${(error as Error).message}`);
  }
}

/** The page of the HTML report as `npm run build` made it. @throws UserError where it is not built */
function readReportPage(): ReportPage {
  const read = (name: string): string =>
    readFileSync(fileURLToPath(new URL(`dist/report/${name}`, packageFolder())), "utf8");
  try {
    return { script: read("report.js"), style: read("report.css") };
  } catch (error) {
    throw new UserError(
      `the page of the HTML report cannot be read: ${(error as Error).message}`,
      "run `npm run build`, or install the package again",
    );
  }
}
