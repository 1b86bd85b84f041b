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

const dirOption = ["--baseline-dir <dir>", "folder of baselines (default: the spec's baseline_dir)"] as const;

export const declareSave: Declare = (program, io, done) => {
  withConfig(program.command("save"))
    .description("save the best run of each query as a baseline, if its correctness passes")
    .argument("<dump...>", dumps)
    .requiredOption("--spec <file>", "spec file or glob; repeat for several", collect)
    .requiredOption("--version <name>", "name of the version")
    .option("--query <text|id>", "only this query; repeat for several", collect, [])
    .option("--tags <a,b>", "only queries with one of these tags", list)
    .option("--agent <name>", "only specs for this agent")
    .option(...dirOption)
    .option("--judge <mode>", "auto | off | required", choice("auto", "off", "required"))
    .option("--force-save", "save a run even if its correctness fails or is unknown")
    .option("--variant", "add the run as another accepted variant of the version, at most five")
    .option(
      "--redact <what>",
      "none | secrets | all (secrets, e-mail addresses, card and phone numbers)",
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
    .option("--agent <name>", "only this agent")
    .option("--version <name>", "only this version")
    .option("--spec <file>", "use the baseline_dir of this spec; repeat for several", collect, [])
    .option(
      "--baseline-dir <dir>",
      "folder of baselines (default: that of the spec or of the configured specs, otherwise ./baselines)",
    )
    .option(...formatOption(["console", "json"], "console"))
    .addHelpText(...example("tracejury baselines --agent rag-agent"))
    .action(async (options) =>
      done(await (await import("../commands/evaluate/baselines.ts")).baselines(options, io)),
    );
};

export const declareDiff: Declare = (program, io, done) => {
  withConfig(program.command("diff"))
    .description("compare two saved versions in correctness, path and cost; exit code 1 for a regression")
    .requiredOption("--baseline <version|file>", "the older side: a version, a baseline file, or a dump")
    .requiredOption("--compare <version|file>", "the newer side, likewise")
    .option("--spec <file>", "judge both sides by this spec; repeat for several", collect, [])
    .option("--query <text|id>", "only this query; repeat for several", collect, [])
    .option("--agent <name>", "only this agent")
    .option(
      "--baseline-dir <dir>",
      "folder of baselines (default: that of the spec or of the configured specs, otherwise ./baselines)",
    )
    .option("--judge <mode>", "auto | off | required, for dumps", choice("auto", "off", "required"))
    .option(
      "--fail-on <what>",
      "exit code 1 for: regression | warn | any",
      choice("regression", "warn", "any"),
      "regression",
    )
    .option("--skip-invalid", "skip unreadable input instead of ending with exit code 2")
    .option(...formatOption(["console", "json", "github", "markdown"], "console"))
    .addHelpText(...example("tracejury diff --baseline v1 --compare v2 --spec specs/rag-agent.yaml"))
    .action(async (options) => done(await (await import("../commands/evaluate/diff.ts")).diff(options, io)));
};
