import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { notLiteral } from "../../../../authoring/query-text/literal-query.ts";
import { proposeSpec } from "../../../../authoring/agreement/proposed-spec.ts";
import { specText } from "../../../../authoring/query-text/spec-text.ts";
import { questionsOf } from "../../../../authoring/questions.ts";
import { foldAgentName } from "../../../../match/rules/agent-name.ts";
import type { AgentRun } from "../../../../model/run.ts";
import { counted } from "../../../../report/render/terminal/printable.ts";
import { slug } from "../../../../spec/compile/ids.ts";
import { importSpec, type ImportKind } from "../../authoring/import-spec.ts";
import { exampleQuery, githubWorkflow, startConfig } from "../../authoring/templates.ts";
import { replay, replayIo, writeInvalid } from "../../../../replay/replay.ts";
import { ExitCode, UserError } from "../../../../support/process/exit-code.ts";
import { type Io, write } from "../../../../support/process/io.ts";
import { publishedVersion } from "../../../../support/process/version.ts";
import { type ConfigFlags, loadSettings, readSpec } from "../../../../config/command-settings.ts";

export interface InitOptions extends ConfigFlags {
  readonly agent?: string;
  readonly from: readonly string[];
  readonly fromAgentci?: string;
  readonly fromEvalview?: string;
  readonly fromPromptfoo?: string;
  readonly fromAdk?: string;
  readonly fromAgentevals?: string;
  readonly dir: string;
  readonly force?: boolean;
}

interface NewFile {
  readonly path: string;
  readonly text: string;
}

/**
 * Writes a spec (from recorded runs, or from another tool's file, where given), a configuration and a CI workflow. What is there already
 * is left alone, unless forced. Exit 2 when nothing could be made of what was given.
 */
export async function init(options: InitOptions, io: Io): Promise<ExitCode> {
  const specs = await specFiles(options, io);
  const files = [
    ...specs,
    { path: join(options.dir, "tracejury.yaml"), text: startConfig() },
    {
      path: join(options.dir, ".github", "workflows", "tracejury.yml"),
      text: githubWorkflow(publishedVersion),
    },
  ];
  for (const file of files) await place(file, options, io);
  for (const { path } of specs) {
    const read = readSpec(path);
    if (!read.ok) throw new UserError(`${path} is not valid: see tracejury validate ${path}`);
  }
  const [first] = specs;
  if (first !== undefined) {
    await write(
      io.stdout,
      `\nNext: look through ${first.path}, then\n  tracejury test ${options.from.join(" ") || "traces.jsonl"} --spec ${first.path}\n`,
    );
  }
  return ExitCode.passed;
}

async function specFiles(options: InitOptions, io: Io): Promise<readonly NewFile[]> {
  const imported = importOf(options);
  if (imported !== null) {
    const { specs, left } = importSpec(imported.kind, imported.path, options.agent ?? "my-agent");
    for (const note of left) await write(io.stderr, `not carried over: ${note}\n`);
    return specs.map(({ agent, text }) => specFile(agent, text, options));
  }
  if (options.from.length === 0) {
    const agent = options.agent ?? "my-agent";
    const remark =
      "A first spec: what one question asks of the agent. tracejury init --from DUMP writes one from recorded runs.";
    return [specFile(agent, specText(agent, [exampleQuery], [remark]), options)];
  }
  return recordedSpecs(options, io);
}

async function recordedSpecs(options: InitOptions, io: Io): Promise<readonly NewFile[]> {
  const { config } = await loadSettings(options, io);
  const runs: AgentRun[] = [];
  const { invalid } = await replay(options.from, {
    config,
    ...replayIo(io),
    onRun: (run) => runs.push(run),
  });
  await writeInvalid(io, invalid, "warning: ");
  const { agents, unknown, wildcards } = questionsOf(runs);
  if (unknown > 0) {
    await write(
      io.stderr,
      `${counted(unknown, "run")} left out: the telemetry does not tell what was asked\n`,
    );
  }
  if (wildcards > 0) {
    await write(
      io.stderr,
      `${counted(wildcards, "run")} left out, asked "*" or of an agent "*": ${notLiteral}\n`,
    );
  }
  const wanted = agents.filter(
    ({ agent }) => options.agent === undefined || foldAgentName(agent) === foldAgentName(options.agent),
  );
  if (wanted.length === 0) {
    throw new UserError(
      runs.length === 0 ? "there is no agent run in the input" : "no run in the input can be made a query of",
      agents.length > 0
        ? `agents there: ${agents.map(({ agent }) => agent).join(", ")}`
        : "tracejury doctor says what the telemetry lacks",
    );
  }
  return wanted.map((one) => specFile(one.agent, proposeSpec(one), options));
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
  const name = agent === "*" ? "any" : slug(agent);
  return { path: join(dir, "specs", `${name === "" ? "agent" : name}.yaml`), text };
}

async function place({ path, text }: NewFile, { force }: InitOptions, io: Io): Promise<void> {
  const there = existsSync(path);
  if (there && force !== true) {
    await write(io.stdout, `kept     ${path} (--force writes it anew)\n`);
    return;
  }
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  } catch (error) {
    throw new UserError(`${path} cannot be written: ${(error as Error).message}`);
  }
  await write(io.stdout, `${there ? "replaced" : "wrote   "} ${path}\n`);
}
