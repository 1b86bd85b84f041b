import { documentKind } from "../../config/document-kind.ts";
import { fileReader } from "../../config/file-reader.ts";
import { loadConfig } from "../../config/load.ts";
import { renderProblem } from "../../spec/document/frame.ts";
import type { Problem } from "../../spec/document/problem.ts";
import { ExitCode } from "../exit-code.ts";
import { type Io, write } from "../io.ts";
import { readSpec } from "../settings.ts";

export interface ValidateOptions {
  readonly format: "console" | "json";
}

interface Checked {
  readonly file: string;
  readonly kind: "spec" | "config" | "unreadable";
  readonly valid: boolean;
  readonly problems: readonly Problem[];
  readonly texts: ReadonlyMap<string, string>;
}

/** Exit 1 when a file is invalid, 2 when one cannot be read (2 only when none is invalid). */
export async function validate(
  files: readonly string[],
  options: ValidateOptions,
  io: Io,
): Promise<ExitCode> {
  const checked = files.map((file) => checkFile(file, io));
  if (options.format === "json") await write(io.stdout, `${JSON.stringify(checked.map(reported))}\n`);
  else for (const one of checked) await write(io.stdout, console(one));
  if (checked.some(({ kind, valid }) => kind !== "unreadable" && !valid)) return ExitCode.failed;
  return checked.every(({ valid }) => valid) ? ExitCode.passed : ExitCode.couldNotTell;
}

function checkFile(file: string, io: Io): Checked {
  const source = fileReader.read(file);
  if (!source.ok) {
    const problem: Problem = {
      code: "file/unreadable",
      file,
      line: 0,
      column: 0,
      length: 1,
      message: source.reason,
      hint: "check the path",
      severity: "error",
    };
    return { file, kind: "unreadable", valid: false, problems: [problem], texts: new Map() };
  }
  if (documentKind(source.text) === "spec") {
    const { ok, problems, texts } = readSpec(file);
    return { file, kind: "spec", valid: ok, problems, texts };
  }
  const { ok, problems, texts } = loadConfig({ files: [file], set: [], env: io.env, reader: fileReader });
  return { file, kind: "config", valid: ok, problems, texts };
}

function reported({ file, kind, valid, problems }: Checked): object {
  return { file, kind, valid, problems };
}

function console({ file, kind, valid, problems, texts }: Checked): string {
  const frames = problems.map((problem) => `${renderProblem(problem, texts.get(problem.file))}\n\n`).join("");
  return `${frames}${valid ? "✓" : "✗"} ${file} is ${valid ? "a valid" : "no valid"} ${kind === "unreadable" ? "file" : kind}\n`;
}
