import { constants, copyFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeFolderSync } from "../../../../support/process/make-folder.ts";
import { specFileName } from "../../../../authoring/query-text/spec-file-name.ts";
import { hasRuns } from "../../../../replay/reports/served-dump.ts";
import { proposeSpec } from "../../../../authoring/agreement/proposed-spec.ts";
import { specText } from "../../../../authoring/query-text/spec-text.ts";
import type { AgentQuestions, Question } from "../../../../authoring/questions.ts";
import type { Strengthened } from "../../../../authoring/agreement/strengthen.ts";
import { goodRuns } from "../../../../authoring/observed.ts";
import { isCollectorAddress } from "../../../../replay/reports/collector-address.ts";
import { selectQueries } from "../../../../match/selection.ts";
import { foldAgentName } from "../../../../match/rules/agent-name.ts";
import type { AgentRun } from "../../../../model/run.ts";
import { StrengthTrial, strengthSummary } from "../../authoring/strength-trial.ts";
import { importSpec, type ImportKind } from "../../authoring/import-spec.ts";
import { actionOfThisClone, placeholderText, UNKNOWN_OWNER } from "../../authoring/action-source.ts";
import { agentSetUp } from "../../authoring/agent-set-up.ts";
import { lackingQuestions, withMissingQueries } from "../../authoring/added-queries.ts";
import { exampleQuery, githubWorkflow, startConfig } from "../../authoring/templates.ts";
import { cassetteFolders } from "../../authoring/cassette-folders.ts";
import { recordingScope } from "../../../../model/telemetry/own-scope.ts";
import { recordedQuestions } from "../../../../replay/judging/like-specs.ts";
import { adminUrl } from "../../authoring/served-telemetry.ts";
import { ExitCode, type Io, UserError, write } from "../../../../support/process/io.ts";
import { type ConfigFlags, loadSettings, parseSpec, readSpec } from "../../../../config/command-settings.ts";

export interface InitOptions extends ConfigFlags {
  readonly agent?: string;
  readonly from: readonly string[];
  /** Whether to add the checks that `strength` suggests. */
  readonly strict?: boolean;
  readonly fromAgentci?: string;
  readonly fromEvalview?: string;
  readonly fromPromptfoo?: string;
  readonly fromAdk?: string;
  readonly fromAgentevals?: string;
  readonly dir: string;
  /** Whether to add queries to existing specs, for recorded questions that no query matches. */
  readonly add?: boolean;
  readonly force?: boolean;
  readonly all?: boolean;
}

interface NewFile {
  readonly path: string;
  readonly text: string;
  readonly isSpec: boolean;
  /** Number of recorded questions that no query of the existing spec matches. Absent if the spec is new. */
  readonly lacking?: number;
  /** Whether the agent has no instrumentation: Tracejury's model proxy created all telemetry of the recorded runs. */
  readonly isUninstrumented?: boolean;
  /** Summary to print below the list of files. */
  readonly summary?: string;
}

/**
 * Writes a spec, a configuration and a CI workflow. The spec is made from recorded runs or from another
 * tool's file, if given. Returns exit code 2 if no spec can be made from the input, or a part of the dumps is unreadable.
 * Existing files are not changed, with three exceptions: `add` extends a spec, `force` replaces specs, and
 * `all` replaces every file. A replaced file is backed up first.
 */
export async function init(given: InitOptions, io: Io): Promise<ExitCode> {
  const { config } = await loadSettings(given, io);
  const collector = adminUrl(config);
  const setUp = agentSetUp(given.dir);
  const exec = setUp.isExecFound ? setUp.exec : "COMMAND {query}";
  const ofCollector = await fromCollector(given, collector, io);
  const ofRuns = ofCollector === null ? null : await specsOfCollector(ofCollector, exec, io);
  const options = ofRuns === null ? given : (ofCollector ?? given);
  const { specs, isUnreadable } = ofRuns ?? (await specFiles(given, exec, io));
  const isUninstrumented = specs.some((spec) => spec.isUninstrumented === true);
  const workflow = join(options.dir, ".github", "workflows", "tracejury.yml");
  const action = actionOfThisClone();
  const files = [
    ...specs,
    { path: join(options.dir, "tracejury.yaml"), text: startConfig(), isSpec: false },
    { path: workflow, text: githubWorkflow(setUp, action, isUninstrumented), isSpec: false },
  ];
  const written: NewFile[] = [];
  for (const file of files) if (await place(file, options, io)) written.push(file);
  for (const { path } of specs) {
    const read = readSpec(path);
    if (!read.ok) throw new UserError(`${path} is not valid: see tracejury validate ${path}`);
  }
  for (const { path, summary } of written)
    if (summary !== undefined) await write(io.stdout, `\n${path}: ${summary}\n`);
  if (action.startsWith(`${UNKNOWN_OWNER}/`) && written.some(({ path }) => path === workflow)) {
    await write(io.stdout, `\n${workflow}: ${placeholderText(action)} (docs/ci.md)\n`);
  }
  const first = specs.find((spec) => written.includes(spec)) ?? specs[0];
  if (first !== undefined) {
    const isNameless = options.agent === undefined && options.from.length === 0 && importOf(options) === null;
    const task = isNameless ? `set the name of your agent in ${first.path}` : `review ${first.path}`;
    const begin = written.length === 0 ? "Nothing was written. Next:" : `Next: ${task}, then`;
    const run = runCommand(exec, first.path, isUninstrumented);
    const commands = nextLines(first.path, run, options.from, collector);
    await write(io.stdout, `\n${begin}\n${commands}${playbackLines(first.path, exec, options.dir)}`);
  }
  return isUnreadable ? ExitCode.undecided : ExitCode.passed;
}

/**
 * Returns the options, changed so that runs are read from a running collector. Returns null if the options name other input, or if no
 * collector with runs responds at `url`.
 */
async function fromCollector(options: InitOptions, url: string | null, io: Io): Promise<InitOptions | null> {
  if (url === null || options.from.length > 0 || importOf(options) !== null) return null;
  if (!(await hasRuns(url, io.env["TRACEJURY_TOKEN"]))) return null;
  await write(io.stderr, `no dump is given: the spec is made from the runs of the collector at ${url}\n`);
  return { ...options, from: [url] };
}

/**
 * Returns specs made from a collector's runs; null if the collector has no run of the agent that `--agent` names. The user did not name
 * this collector as input, so its lack of runs is no error.
 */
async function specsOfCollector(options: InitOptions, exec: string, io: Io): Promise<NewSpecs | null> {
  try {
    return await specFiles(options, exec, io);
  } catch (error) {
    if (!(error instanceof NoRunOfAgent) || options.agent === undefined) throw error;
    await write(io.stderr, `the collector has no run of ${options.agent}: the spec is made without runs\n`);
    return null;
  }
}

/** The input has no run of the agent for which a spec is made. */
class NoRunOfAgent extends UserError {}

/**
 * Returns the next commands to suggest. One command runs the agent as the workflow does; the other judges recorded runs, or the runs of a
 * collector.
 */
function nextLines(spec: string, runs: string, from: readonly string[], collector: string | null): string {
  const run = `  ${runs}   # runs the agent and judges it, as the workflow does\n`;
  if (from.length > 0)
    return `  tracejury test ${from.join(" ")} --spec ${spec}   # judges the recorded runs\n${run}`;
  if (collector === null) return run;
  return `${run}or, with your agent's runs in tracejury serve,\n  tracejury test ${collector} --spec ${spec}\n`;
}

/** Returns the command that runs the agent. If the agent has no instrumentation, its model calls are recorded. */
function runCommand(exec: string, spec: string, isUninstrumented: boolean): string {
  const models = isUninstrumented ? " --models record:recorded.jsonl" : "";
  return `tracejury test --exec '${exec}' --spec ${spec}${models}`;
}

/**
 * Returns the command that runs the agent with the recorded model answers in the spec's folder. Returns an empty text if there are no
 * recorded answers.
 */
function playbackLines(spec: string, exec: string, dir: string): string {
  const [folder] = [...cassetteFolders(dirname(spec)), ...cassetteFolders(dir)];
  if (folder === undefined) return "";
  return (
    `or run the agent with the recorded answers in ${folder}, without a model and its key:\n` +
    `  tracejury test --exec '${exec}' --spec ${spec} --models replay:${folder}\n`
  );
}

interface NewSpecs {
  readonly specs: readonly NewFile[];
  /** Whether a part of the dumps is unreadable. */
  readonly isUnreadable: boolean;
}

/** Agent name of an imported spec if the file names no agent. `*` matches any agent. */
const ANY_AGENT = "*";

async function specFiles(options: InitOptions, exec: string, io: Io): Promise<NewSpecs> {
  const imported = importOf(options);
  if (imported !== null) {
    const { specs, left } = importSpec(imported.kind, imported.path, options.agent ?? ANY_AGENT);
    for (const note of left) await write(io.stderr, `not converted: ${note}\n`);
    return { specs: specs.map(({ agent, text }) => specFile(agent, text, options)), isUnreadable: false };
  }
  if (options.from.length === 0) {
    const agent = options.agent ?? "my-agent";
    const remarks = [
      "A first spec with one query. tracejury init --from DUMP writes one from recorded runs.",
      ...(options.agent === undefined
        ? [
            'Set `agent` to the name of your agent: its gen_ai.agent.name, otherwise its service.name. "*" matches any agent.',
          ]
        : []),
    ];
    const spec = specFile(agent, specText(agent, [exampleQuery], remarks), options);
    return { specs: [spec], isUnreadable: false };
  }
  return recordedSpecs(options, exec, io);
}

async function recordedSpecs(options: InitOptions, exec: string, io: Io): Promise<NewSpecs> {
  const { config } = await loadSettings(options, io);
  let isUninstrumented = true;
  const { agents, invalid } = await recordedQuestions(
    options.from,
    config,
    io,
    ({ spans, uncorrelatedLogs }) => {
      isUninstrumented &&= uncorrelatedLogs.length === 0 && spans.every(isOfModelProxy);
    },
  );
  const wanted = agents.filter(
    ({ agent }) => options.agent === undefined || foldAgentName(agent) === foldAgentName(options.agent),
  );
  if (wanted.length === 0) {
    throw new NoRunOfAgent(
      `the input has no run of ${options.agent ?? "an agent"}`,
      `agents in the input: ${agents.map(({ agent }) => agent).join(", ")}`,
    );
  }
  const specs = wanted.map((one) => {
    const path = join(options.dir, specFileName(one.agent));
    const isKept = existsSync(path) && options.force !== true && options.all !== true;
    const lacking = isKept ? lackingQuestions(path, one) : null;
    const text =
      lacking === null || options.add !== true ? proposeSpec(one) : withMissingQueries(path, lacking);
    const { summary, ...file } = triedSpec({ path, text, isSpec: true, isUninstrumented }, one, options);
    const lines = [
      ...(summary === undefined ? [] : [summary]),
      ...(lacking === null
        ? seenOnceLines(one, runCommand(exec, path, isUninstrumented), options)
        : addedOnceLines(lacking.questions)),
    ];
    if (lacking !== null) return { ...file, lacking: lacking.questions.length, summary: lines.join("\n") };
    return lines.length === 0 ? file : { ...file, summary: lines.join("\n") };
  });
  return { specs, isUnreadable: invalid.length > 0 };
}

function isOfModelProxy({ scopeName }: { readonly scopeName: string }): boolean {
  return scopeName === recordingScope;
}

/**
 * Returns advice about queries with only one good run, whose checks only warn, except `run_status`. Returns an empty list if there are no
 * such queries.
 */
function seenOnceLines(
  { questions }: AgentQuestions,
  run: string,
  { from, dir }: InitOptions,
): readonly string[] {
  const once = questions.filter(({ runs }) => goodRuns(runs).length === 1).length;
  if (once === 0) return [];
  const [what, them] =
    questions.length === 1
      ? ["1 good run was read: all checks", "the agent"]
      : [`Queries with only one good run: ${once} of ${questions.length}. Their checks`, "each"];
  const begin = `  ${what} only warn; only a run that ends in an error fails.`;
  const into = dir === "." ? "" : ` --dir ${dir}`;
  if (from.some(isCollectorAddress))
    return [
      `${begin} Run ${them} twice more, then`,
      `  tracejury init ${from.map((one) => `--from ${one}`).join(" ")}${into} --force`,
    ];
  return [
    `${begin} Run ${them} three times, then make the spec again:`,
    `  ${run} --runs 3 --keep good`,
    `  tracejury init --from good${into} --force`,
  ];
}

/** Returns a note about added queries with only one good run. Returns an empty list if there are no such queries. */
function addedOnceLines(questions: readonly Question[]): readonly string[] {
  const once = questions.filter(({ runs }) => goodRuns(runs).length === 1).length;
  return once === 0
    ? []
    : [
        `  Added queries with only one good run: ${once} of ${questions.length}. Their checks only warn, because one run does not show what varies; a run that ends in an error fails.`,
      ];
}

/** Maximum number of runs that are mutated for each query. */
const MOST_TRIED = 10;

/** Returns the spec that was made from an agent's runs, with a summary of its strength: how many faults in mutated runs it detects. */
function triedSpec(file: NewFile, agent: AgentQuestions, options: InitOptions): NewFile {
  const runs = agent.questions.flatMap((question) => question.runs.slice(0, MOST_TRIED));
  const plain = tryOn(file, runs);
  if (plain === null) return file;
  if (options.strict !== true) {
    const shown = `tracejury strength ${options.from.join(" ")} --spec ${file.path}`;
    const advice = `\n  To add checks that detect more faults, add --strict --force to this command. To see these faults and checks first:\n  ${shown}`;
    return { ...file, summary: `${plain.summary}${plain.isOpen ? advice : ""}` };
  }
  const strict = { ...file, text: plain.strengthened().text };
  return { ...strict, summary: tryOn(strict, runs)?.summary ?? plain.summary };
}

interface Tried {
  readonly summary: string;
  /** Whether further checks could detect more faults. */
  readonly isOpen: boolean;
  readonly strengthened: () => Strengthened;
}

function tryOn({ path, text }: NewFile, runs: readonly AgentRun[]): Tried | null {
  const loaded = parseSpec({ file: path, text });
  if (!loaded.ok) return null;
  const { spec } = loaded;
  const trial = new StrengthTrial([spec], selectQueries([spec], { queries: [], tags: [] }), {
    seed: 42,
    most: 3,
  });
  for (const run of runs) trial.add(run);
  const queries = trial.queries();
  const isOpen = queries.some(({ survivors }) => survivors.some(({ suggestion }) => suggestion !== null));
  return {
    summary: strengthSummary(queries),
    isOpen,
    strengthened: () => trial.strengthened(spec, text),
  };
}

function importOf(options: InitOptions): { readonly kind: ImportKind; readonly path: string } | null {
  const given = [
    ["agentci", options.fromAgentci],
    ["evalview", options.fromEvalview],
    ["promptfoo", options.fromPromptfoo],
    ["adk", options.fromAdk],
    ["agentevals", options.fromAgentevals],
  ] as const;
  for (const [kind, path] of given) if (path !== undefined) return { kind, path };
  return null;
}

function specFile(agent: string, text: string, { dir }: InitOptions): NewFile {
  return { path: join(dir, specFileName(agent)), text, isSpec: true };
}

/** Writes a file. Resolves to false if the file exists and was not changed. */
async function place(file: NewFile, options: InitOptions, io: Io): Promise<boolean> {
  const { path, text, isSpec, lacking = 0 } = file;
  const there = existsSync(path);
  if (there && options.all !== true && !(isSpec && options.force === true)) {
    const isExtended = options.add === true && lacking > 0;
    if (isExtended) writeFileSync(path, text);
    await write(io.stdout, isExtended ? `added    ${queries(lacking)} to ${path}\n` : keptLine(file));
    return isExtended;
  }
  try {
    if (there && readFileSync(path, "utf8") === text) {
      await write(io.stdout, `the same ${path}\n`);
      return true;
    }
    const copy = there ? freeCopyName(path) : null;
    makeFolderSync(dirname(path));
    if (copy !== null) copyFileSync(path, copy, constants.COPYFILE_EXCL);
    writeFileSync(path, text);
    await write(
      io.stdout,
      copy === null ? `wrote    ${path}\n` : `replaced ${path} (the old file is ${copy})\n`,
    );
    return true;
  } catch (error) {
    throw new UserError(`${path} cannot be written: ${(error as Error).message}`);
  }
}

function keptLine({ path, isSpec, lacking = 0 }: NewFile): string {
  const replaces = isSpec ? "--force replaces it" : "--all replaces it";
  const adds = lacking === 0 ? "" : `; --add adds ${queries(lacking)} that it lacks`;
  return `kept     ${path} (${replaces}${adds})\n`;
}

function queries(count: number): string {
  return count === 1 ? "1 query" : `${count} queries`;
}

/** Returns the first of the names FILE.bak, FILE.2.bak, … that no file has, so that no earlier backup is overwritten. */
function freeCopyName(path: string): string {
  for (let n = 1; ; n++) {
    const name = n === 1 ? `${path}.bak` : `${path}.${n}.bak`;
    if (!existsSync(name)) return name;
  }
}
