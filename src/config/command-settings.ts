import { realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { checks } from "../evaluate/checks/registry.ts";
import type { Config } from "./config.ts";
import { fileReader } from "./find/file-reader.ts";
import { specNames } from "../spec/spec-names.ts";
import { findSpecs } from "./find/find-specs.ts";
import { isSetName } from "./document/set-values.ts";
import { loadConfig, type LoadedConfig } from "./load.ts";
import type { CompiledSpec } from "../evaluate/query/compiled.ts";
import { renderProblem } from "../spec/document/problems/frame.ts";
import type { Problem } from "../spec/document/problems/problem.ts";
import type { DocumentSource } from "../spec/document/read-document.ts";
import type { JudgeNames } from "../spec/compile/judge-names.ts";
import { loadSpec } from "../spec/load.ts";
import { type Io, UserError, write } from "../support/process/io.ts";

export interface ConfigFlags {
  readonly config: readonly string[];
  readonly set: readonly string[];
  /**
   * Folder to which paths in the configuration are relative. Set only if the configuration was found in a parent folder, not named by
   * `--config`.
   */
  readonly configFolder?: string;
}

export interface Settings {
  readonly config: Config;
  /** Secrets, which must not be printed. */
  readonly secrets: readonly string[];
}

/**
 * Loads the configuration from files, flags and environment. Prints problems on stderr.
 * @throws UserError if the configuration is invalid
 */
export async function loadSettings(flags: ConfigFlags, io: Io): Promise<Settings> {
  const { config, secrets } = await readConfig(flags, io);
  return { config, secrets };
}

/**
 * Loads the configuration with the source of each value.
 * @throws UserError if the configuration is invalid
 */
export async function readConfig(flags: ConfigFlags, io: Io): Promise<Extract<LoadedConfig, { ok: true }>> {
  const loaded = loadConfig({ files: flags.config, set: flags.set, env: io.env, reader: fileReader });
  await sayProblems(loaded.problems, loaded.texts, io);
  if (!loaded.ok) throw new UserError("the configuration is invalid; the problems are listed above");
  const { configFolder: folder = "." } = flags;
  return folder === "." ? loaded : { ...loaded, config: withPathsFrom(folder, loaded) };
}

/**
 * Resolves relative paths in a configuration that was found in a parent folder: they are relative to this folder. Paths in `--set` stay
 * relative to the working directory.
 */
function withPathsFrom(folder: string, { config, origins }: Extract<LoadedConfig, { ok: true }>): Config {
  const from = (path: string, key: string): string => {
    const origin = origins.get(key);
    const isOfCommandLine = origin?.kind === "written" && isSetName(origin.file);
    return isAbsolute(path) || isOfCommandLine ? path : join(folder, path);
  };
  return {
    ...config,
    specs: config.specs.map((path) => from(path, "specs")),
    dataDir: from(config.dataDir, "data_dir"),
    judge: { ...config.judge, rubrics: config.judge.rubrics.map((path) => from(path, "judge.rubrics")) },
    baselineDir: config.baselineDir === null ? null : from(config.baselineDir, "baseline_dir"),
  };
}

/**
 * Compiles specs with the tool categories and judges of the configuration. Validates the specs as the command `validate` does, including
 * names of judges. Prints problems on stderr. Specs with the same file name get different names.
 * @param values paths, folders or globs of specs
 * @param onFile called with the path of each file that is read
 * @throws UserError if no spec is found or a spec is invalid
 */
export async function loadSpecs(
  values: readonly string[],
  io: Io,
  config: Pick<Config, "toolCategories" | "judge">,
  onFile?: (file: string) => void,
): Promise<CompiledSpec[]> {
  const found = findSpecs(values, io.cwd);
  if (!found.ok) {
    await sayProblems(found.problems, new Map(), io);
    throw new UserError("no spec was found; the problems are listed above");
  }
  const specs: CompiledSpec[] = [];
  let invalid = 0;
  for (const file of found.files) {
    const loaded = await checkedSpec(file, config, io);
    await sayProblems(loaded.problems, loaded.texts, io);
    for (const read of loaded.texts.keys()) onFile?.(read);
    if (loaded.ok) specs.push(loaded.spec);
    else invalid++;
  }
  if (invalid > 0)
    throw new UserError(
      invalid === 1 && found.files.length === 1
        ? "the spec is invalid; the problems are listed above"
        : `${invalid} of ${found.files.length} specs ${invalid === 1 ? "is" : "are"} invalid; the problems are listed above`,
    );
  const names = specNames(specs.map(({ file }) => file));
  return specs.map((spec) => ({ ...spec, name: names.get(spec.file) ?? spec.name }));
}

/**
 * Compiles the specs that `--spec` names; without `--spec`, the specs of the configuration.
 * @throws UserError if neither names a spec
 */
export async function loadJudgingSpecs(
  named: readonly string[],
  io: Io,
  config: Config,
  onFile?: (file: string) => void,
): Promise<CompiledSpec[]> {
  const values = named.length > 0 ? named : config.specs;
  if (values.length === 0)
    throw new UserError(
      "no spec is given",
      "name a spec, as in --spec specs/rag-agent.yaml, or list specs under `specs:` in tracejury.yaml; tracejury init --from DUMP writes a spec and a configuration",
    );
  return await loadSpecs(values, io, config, onFile);
}

/** Matches keys under which a spec can name rubrics or models. */
const judgeKeys = /\b(?:llm_judge|safety_check|hallucination_check|judge_config|judge|simulate)\b/;

/**
 * Reads one spec. Names of judges are loaded only if the spec or a file that it includes may contain some, because loading them reads many
 * files.
 */
async function checkedSpec(
  file: string,
  config: Pick<Config, "toolCategories" | "judge">,
  io: Io,
): Promise<ReturnType<typeof loadSpec>> {
  const source = sourceOf(file);
  if (judgeKeys.test(source.text)) return parseSpec(source, config, await judgeNames(config, io));
  const loaded = parseSpec(source, config);
  if (![...loaded.texts.values()].some((text) => judgeKeys.test(text))) return loaded;
  return parseSpec(source, config, await judgeNames(config, io));
}

async function judgeNames({ judge }: Pick<Config, "judge">, io: Io): Promise<JudgeNames> {
  const { judgeNamesOf } = await import("./find/judge-names.ts");
  const rubrics = judge.rubrics.map((path) => resolve(io.cwd, path));
  return judgeNamesOf([{ rubrics, providers: judge.providers }]);
}

/**
 * Reads a spec file from disk.
 * @throws UserError if the file cannot be read
 */
export function readSpec(
  file: string,
  config?: Pick<Config, "toolCategories">,
  names?: JudgeNames,
): ReturnType<typeof loadSpec> {
  return parseSpec(sourceOf(file), config, names);
}

/** @throws UserError if the file cannot be read */
function sourceOf(file: string): DocumentSource {
  const source = fileReader.read(file);
  if (!source.ok) throw new UserError(`${file}: ${source.reason}`);
  return { file, text: source.text, realPath: source.realPath };
}

/** Parses the text of a spec, which need not be on disk. Included files are relative to `file`. */
export function parseSpec(
  source: DocumentSource,
  config?: Pick<Config, "toolCategories">,
  names?: JudgeNames,
): ReturnType<typeof loadSpec> {
  return loadSpec(
    { realPath: realPathOf(source.file), ...source },
    {
      checks,
      reader: fileReader,
      judgeNames: names,
      ...(config === undefined ? {} : { toolCategories: config.toolCategories }),
    },
  );
}

/** Returns the path of a file without symbolic links in its folder. The file need not exist. */
function realPathOf(file: string): string {
  const path = resolve(file);
  try {
    return join(realpathSync(dirname(path)), basename(path)).replaceAll("\\", "/");
  } catch {
    return path.replaceAll("\\", "/");
  }
}

async function sayProblems(
  problems: readonly Problem[],
  texts: ReadonlyMap<string, string>,
  io: Io,
): Promise<void> {
  for (const problem of problems) {
    await write(io.stderr, `${renderProblem(problem, texts.get(problem.file))}\n\n`);
  }
}
