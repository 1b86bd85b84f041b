import { writeFileSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { findConfig } from "../../../../config/find/find-config.ts";
import type { JudgeNames } from "../../../../spec/compile/judge-names.ts";
import { documentKind } from "../../../../config/find/document-kind.ts";
import { fileReader } from "../../../../config/find/file-reader.ts";
import { findSpecs } from "../../../../config/find/find-specs.ts";
import { judgeNamesOf } from "../../../../config/find/judge-names.ts";
import { loadConfig } from "../../../../config/load.ts";
import { printable } from "../../../../report/render/terminal/printable.ts";
import { applyFixes, type Fix, fixesOf, withoutTabs } from "../../../../spec/document/problems/fixes.ts";
import { renderProblem } from "../../../../spec/document/problems/frame.ts";
import type { Problem } from "../../../../spec/document/problems/problem.ts";
import { ExitCode, type Io, UserError, write } from "../../../../support/process/io.ts";
import { readSpec } from "../../../../config/command-settings.ts";

export interface ValidateOptions {
  /** Whether to correct those problems in the files that have only one possible correction. */
  readonly fix?: boolean;
  readonly format: "console" | "json";
}

interface Checked {
  readonly file: string;
  readonly kind: "spec" | "config" | "unreadable";
  readonly valid: boolean;
  readonly problems: readonly Problem[];
  readonly texts: ReadonlyMap<string, string>;
}

/**
 * Validates specs and configurations, and prints their problems. Returns exit code 1 if a file is invalid,
 * otherwise 2 if a file is unreadable. With `fix`, files are corrected first.
 * @param named files, folders or globs; if empty, the project's configuration and its specs are validated
 */
export async function validate(
  named: readonly string[],
  options: ValidateOptions,
  io: Io,
): Promise<ExitCode> {
  const checked: Checked[] = [];
  const files = named.length > 0 ? filesOf(named, io.cwd) : filesOfProject(io);
  const names = await judgeNames(files, io);
  for (const file of files)
    checked.push(options.fix === true ? await fixFile(file, names, io) : checkFile(file, names, io));
  if (options.format === "json") await write(io.stdout, `${JSON.stringify(checked.map(reported))}\n`);
  else for (const one of checked) await write(io.stdout, console(one));
  if (checked.some(({ kind, valid }) => kind !== "unreadable" && !valid)) return ExitCode.failed;
  return checked.every(({ valid }) => valid) ? ExitCode.passed : ExitCode.undecided;
}

/**
 * Returns the files of paths, folders and globs. A value that matches no file is returned unchanged, and is then reported as unreadable.
 */
function filesOf(values: readonly string[], cwd: string): readonly string[] {
  const files = values.flatMap((value) => {
    const found = findSpecs([value], cwd);
    return found.ok ? found.files : [value];
  });
  return [...new Set(files)];
}

/**
 * Returns the project's configuration and the specs that it names.
 * @throws UserError if the project has no configuration
 */
function filesOfProject(io: Io): readonly string[] {
  const found = findConfig(io.cwd);
  if (found === undefined)
    throw new UserError(
      "no file is given, and no tracejury.yaml was found",
      "name specs or configurations, as in tracejury validate specs/*.yaml",
    );
  const loaded = loadConfig({ files: [found], set: [], env: io.env, reader: fileReader });
  if (!loaded.ok) return [found];
  const isWritten = loaded.origins.get("specs")?.kind === "written";
  const specs = loaded.config.specs.map((path) => (isAbsolute(path) ? path : join(dirname(found), path)));
  // The default pattern of `specs` may match no file, for example in the project of a collector without specs. So it is not reported.
  return [found, ...filesOf(specs, io.cwd).filter((file) => isWritten || !specs.includes(file))];
}

/** Maximum number of rounds of corrections. Several rounds can be needed, because a correction may reveal another problem. */
const MOST_ROUNDS = 10;

/**
 * Returns the names of templates and providers in the project's configuration and in the validated
 * configurations.
 */
async function judgeNames(files: readonly string[], io: Io): Promise<JudgeNames> {
  const found = findConfig(io.cwd);
  const given = files.filter((file) => {
    const source = fileReader.read(file);
    return source.ok && documentKind(source.text, file) === "config";
  });
  const sources = [...(found === undefined ? [] : [found]), ...given].flatMap((file) => {
    const loaded = loadConfig({ files: [file], set: [], env: io.env, reader: fileReader });
    if (!loaded.ok) return [];
    const { rubrics, providers } = loaded.config.judge;
    const folder = file === found ? dirname(file) : ".";
    return [{ rubrics: rubrics.map((path) => resolve(io.cwd, folder, path)), providers }];
  });
  return judgeNamesOf(sources);
}

async function fixFile(file: string, names: JudgeNames, io: Io): Promise<Checked> {
  let checked = checkFile(file, names, io);
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const before = checked.texts.get(file) ?? readText(file);
    if (before === undefined || checked.problems.length === 0) break;
    const own = checked.problems.filter((problem) => problem.file === file);
    const tabbed = own.some(({ hint }) => hint === "indent with spaces");
    const fixes = fixesOf(before, own);
    const after = tabbed ? withoutTabs(before) : applyFixes(before, fixes);
    if (after === before) break;
    writeText(file, after);
    const next = checkFile(file, names, io);
    if (next.problems.length >= checked.problems.length && !tabbed) {
      writeText(file, before);
      break;
    }
    if (tabbed) await write(io.stderr, `${file}: tabs at the start of lines were replaced with spaces\n`);
    else for (const fix of fixes) await write(io.stderr, fixLine(fix));
    checked = next;
  }
  return checked;
}

function fixLine({ problem: { file, line, column }, before, after }: Fix): string {
  return `fixed ${file}:${line}:${column}: ${printable(before, 80)} → ${printable(after, 80)}\n`;
}

function readText(file: string): string | undefined {
  const source = fileReader.read(file);
  return source.ok ? source.text : undefined;
}

function writeText(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new UserError(`${file} cannot be written: ${(error as Error).message}`);
  }
}

function checkFile(file: string, names: JudgeNames, io: Io): Checked {
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
  if (documentKind(source.text, file) === "spec") {
    const { ok, problems, texts } = readSpec(file, undefined, names);
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
  return `${frames}${valid ? "✓" : "✗"} ${file} is ${valid ? "a valid" : "not a valid"} ${kind === "unreadable" ? "file" : kind}\n`;
}
