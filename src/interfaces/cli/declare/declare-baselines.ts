import {
  choice,
  collect,
  type Declare,
  dumps,
  example,
  formatOption,
  list,
  withConfig,
} from "./option-values.ts";

/*
 * Commands about saved runs.
 */

const dirOption = [
  "--baseline-dir <dir>",
  "where baselines are (the spec's baseline_dir when not given)",
] as const;

export const declareSave: Declare = (program, io, done) => {
  withConfig(program.command("save"))
    .description("save the best run of each query as a baseline, if its correctness passes")
    .argument("<dump...>", dumps)
    .requiredOption("--spec <file>", "spec file or glob; repeat for several", collect)
    .requiredOption("--version <name>", "name of the version")
    .option("--query <text|id>", "only this query; repeat for several", collect, [])
    .option("--tags <a,b>", "only queries that carry one of these tags", list)
    .option("--agent <name>", "only specs about this agent")
    .option(...dirOption)
    .option("--judge <mode>", "auto | off | required", choice("auto", "off", "required"))
    .option("--force-save", "save even a run whose correctness fails or is unknown")
    .option("--variant", "keep it beside what the version has already: one more accepted way, at most five")
    .option(
      "--redact <what>",
      "none | secrets | all: what is redacted; all is secrets, e-mail addresses, card and phone numbers",
      choice("none", "secrets", "all"),
      "secrets",
    )
    .option(...formatOption(["console", "json"], "console"))
    .addHelpText(...example("tracejury save traces.jsonl --spec specs/rag-agent.yaml --version v1"))
    .action(async (dumps, options) =>
      done(await (await import("../commands/evaluate/save.ts")).save(dumps, options, io)),
    );
};

export const declareBaselines: Declare = (program, io, done) => {
  withConfig(program.command("baselines"))
    .description("list saved baselines")
    .option("--agent <name>", "only this agent's")
    .option("--version <name>", "only this version")
    .option("--spec <file>", "spec whose baseline_dir is meant; repeat for several", collect, [])
    .option("--baseline-dir <dir>", "where baselines are (./baselines, or the spec's, when not given)")
    .option(...formatOption(["console", "json"], "console"))
    .addHelpText(...example("tracejury baselines --agent rag-agent"))
    .action(async (options) =>
      done(await (await import("../commands/evaluate/baselines.ts")).baselines(options, io)),
    );
};

export const declareDiff: Declare = (program, io, done) => {
  withConfig(program.command("diff"))
    .description(
      "what changed between two saved versions: correctness, path, cost; exit code 1 for a regression",
    )
    .requiredOption("--baseline <version|file>", "the older one: a version, a baseline's file, or a dump")
    .requiredOption("--compare <version|file>", "the newer one: the same")
    .option("--spec <file>", "judge both by this spec; repeat for several", collect, [])
    .option("--query <text|id>", "only this query; repeat for several", collect, [])
    .option("--agent <name>", "only this agent's")
    .option("--baseline-dir <dir>", "where baselines are (./baselines, or the spec's, when not given)")
    .option("--judge <mode>", "auto | off | required, for dumps", choice("auto", "off", "required"))
    .option(
      "--fail-on <what>",
      "regression | warn | any: what exit code 1 means",
      choice("regression", "warn", "any"),
      "regression",
    )
    .option(...formatOption(["console", "json", "github", "markdown"], "console"))
    .addHelpText(...example("tracejury diff --baseline v1 --compare v2 --spec specs/rag-agent.yaml"))
    .action(async (options) => done(await (await import("../commands/evaluate/diff.ts")).diff(options, io)));
};
