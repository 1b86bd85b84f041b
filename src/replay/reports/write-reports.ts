import { themeOf } from "./print-report.ts";
import {
  appendFileSync,
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { makeFolderSync } from "../../support/process/make-folder.ts";
import { escapeControls } from "../../support/structures/control-characters.ts";
import { type Format, formats, parseFormatPath } from "../../report/render/formats/format-names.ts";
import type { Detail } from "../../report/render/terminal/console.ts";
import { renderReport, reportPieces } from "../../report/render/formats/formats.ts";
import { githubSummary } from "../../report/render/formats/github.ts";
import type { TestResult } from "../../report/render/json/result.ts";
import { plainTheme } from "../../report/render/terminal/printable.ts";
import { type Io, UserError, write } from "../../support/process/io.ts";
import { packageFolder } from "../../support/process/package-folder.ts";
import type { ReportPage } from "../../report/render/html/html.ts";

export interface ReportFile {
  readonly format: Format;
  readonly path: string;
}

/**
 * Parses each `--output FORMAT=PATH`, and checks that the file can be written, before anything is judged.
 * @param inputs files that the command reads, which no report may replace
 * @throws UserError for an invalid form, two reports to one file, a report to an input, or a file that cannot be written
 */
export function openOutputs(texts: readonly string[], inputs: readonly string[]): readonly ReportFile[] {
  const outputs = parseOutputs(texts);
  const taken = new Set<string>();
  const read = new Set(outputs.length === 0 ? [] : inputs.map(realPathOf));
  for (const { path } of outputs) {
    if (path === "-") {
      throw new UserError("--output cannot write to standard output", "use --format for standard output");
    }
    if (taken.has(resolve(path))) {
      throw new UserError(`two --output options name ${path}`, "give each --output its own path");
    }
    if (read.has(realPathOf(path)))
      throw new UserError(`--output would replace ${path}, which this command reads`, "name another file");
    taken.add(resolve(path));
  }
  for (const { path } of outputs) written(path, () => tryToWrite(path));
  return outputs;
}

/** Returns the path with symbolic links resolved, if the file exists. */
function realPathOf(path: string): string {
  return existsSync(path) ? realpathSync(path) : resolve(path);
}

/**
 * Throws if a file cannot be written. If the file did not exist before, removes it again, because an empty file could be mistaken for a
 * report.
 */
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
      `--output ${text} does not name a known format and a path`,
      `write --output FORMAT=PATH, as in --output json=result.json; formats: ${formats.join(", ")}`,
    );
  });
}

/**
 * Writes the report to stdout, and the other reports to their files, whose folders are created. In a GitHub workflow, also writes the job
 * summary. Annotations are written to stderr, if stdout does not contain them already.
 */
export async function writeReports(
  result: TestResult,
  format: Format,
  outputs: readonly ReportFile[],
  io: Io,
  detail?: Detail,
): Promise<void> {
  const theme = themeOf(io);
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

/**
 * Creates the folder of the file, and calls `write`.
 * @throws UserError if the folder cannot be created, or `write` throws
 */
function written(path: string, write: () => void): void {
  try {
    makeFolderSync(dirname(resolve(path)));
    write();
  } catch (error) {
    throw new UserError(`the report ${path} cannot be written: ${(error as Error).message}`);
  }
}

/** Approximate length of one write in UTF-16 units. Longer texts would survive minor garbage collections, and memory would grow. */
const CHUNK_LENGTH = 1 << 15;

/** Joins short texts into chunks of about `CHUNK_LENGTH` for writing. */
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

/**
 * Reads the files of the HTML report, which `npm run build` creates.
 * @throws UserError if the files cannot be read
 */
function readReportPage(): ReportPage {
  const read = (name: string): string =>
    readFileSync(fileURLToPath(new URL(`dist/report/${name}`, packageFolder())), "utf8");
  try {
    return { script: read("report.js"), style: read("report.css") };
  } catch (error) {
    throw new UserError(
      `the HTML report needs the built files of its page, and they cannot be read: ${(error as Error).message}`,
      "run `npm run build`, or install the package again",
    );
  }
}
