import { choice, collect, type Declare, example, withConfig } from "./option-values.ts";

/*
 * Commands that help to write and change specs.
 */

export const declareBacktest: Declare = (program, io, done) => {
  withConfig(program.command("backtest"))
    .description("which verdicts a changed spec would flip, over recorded runs")
    .argument("<dump...>", "dump files, folders or globs; - reads standard input")
    .requiredOption("--spec <file>", "the changed spec; repeat for several", collect, [])
    .requiredOption("--base <file>", "the spec as it was; repeat for several", collect, [])
    .option("--judge <mode>", "auto | off | required", choice("auto", "off", "required"))
    .option("--baseline <version>", "compare with the runs saved under this version")
    .option("--baseline-dir <dir>", "where baselines are (the spec's baseline_dir when not given)")
    .option(
      "--fail-on <what>",
      "worse | any: exit code 1 when a verdict flips to fail, or at all",
      choice("worse", "any"),
    )
    .option("--skip-invalid", "go on after input that cannot be read, without exit code 2")
    .option(
      "--format <format>",
      "console | json | markdown",
      choice("console", "json", "markdown"),
      "console",
    )
    .addHelpText("after", example("tracejury backtest traces.jsonl --spec new.yaml --base old.yaml"))
    .action(async (dumps, options) =>
      done(await (await import("./commands/backtest.ts")).backtest(dumps, options, io)),
    );
};
