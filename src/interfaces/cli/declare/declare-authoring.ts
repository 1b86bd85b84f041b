import {
  choice,
  collect,
  type Declare,
  dumps,
  example,
  formatOption,
  list,
  whole,
  withConfig,
} from "./option-values.ts";

/*
 * Commands that help to write and change specs.
 */

export const declareBacktest: Declare = (program, io, done) => {
  withConfig(program.command("backtest"))
    .description("show which verdicts change when a spec changes, over recorded runs")
    .argument("<dump...>", dumps)
    .requiredOption("--spec <file>", "the new spec; repeat for several", collect)
    .requiredOption("--base <file>", "the old spec; repeat for several", collect)
    .option("--judge <mode>", "auto | off | required", choice("auto", "off", "required"))
    .option("--baseline <version>", "compare with the runs saved under this version")
    .option("--baseline-dir <dir>", "folder of baselines (default: the spec's baseline_dir)")
    .option(
      "--fail-on <what>",
      "exit code 1 if a verdict changes to fail (worse), or if any verdict changes (any)",
      choice("worse", "any"),
    )
    .option("--skip-invalid", "skip unreadable input instead of ending with exit code 2")
    .option(...formatOption(["console", "json", "markdown"], "console"))
    .addHelpText(...example("tracejury backtest traces.jsonl --spec new.yaml --base old.yaml"))
    .action(async (dumps, options) =>
      done(await (await import("../commands/evaluate/backtest.ts")).backtest(dumps, options, io)),
    );
};

export const declareInit: Declare = (program, io, done) => {
  withConfig(program.command("init"))
    .description(
      "write a spec, a configuration and a CI workflow; with --from, the spec comes from recorded runs",
    )
    .option("--agent <name>", "name of the agent; with --from, name of the recorded agent")
    .option("--from <dump>", "dump with good runs for the spec; repeat for several dumps", collect, [])
    .option("--strict", "with --from: add checks for faults that the spec does not notice")
    .option("--from-agentci <file>", "make the spec from a file of AgentCI")
    .option("--from-evalview <file>", "make the spec from test cases of EvalView, a file or a folder")
    .option("--from-promptfoo <file>", "make the spec from a promptfoo configuration")
    .option("--from-adk <file>", "make the spec from an ADK EvalSet")
    .option("--from-agentevals <file>", "make the spec from reference trajectories of LangChain agentevals")
    .option("--dir <dir>", "folder for the files", ".")
    .option("--force", "replace an existing spec; keep the old spec as FILE.bak")
    .option(
      "--all",
      "replace all existing files, also configuration and workflow; keep the old files as FILE.bak",
    )
    .addHelpText(...example("tracejury init --from traces.jsonl"))
    .action(async (options) => done(await (await import("../commands/author/init.ts")).init(options, io)));
};

export const declareCalibrate: Declare = (program, io, done) => {
  withConfig(program.command("calibrate"))
    .description("compare the budgets of a spec with recorded runs, and propose better ones")
    .argument("<dump...>", dumps)
    .requiredOption("--spec <file>", "spec file or glob; repeat for several", collect)
    .option("--write", "write the proposed limits into the specs")
    .option(...formatOption(["console", "json"], "console"))
    .addHelpText(...example("tracejury calibrate traces.jsonl --spec specs/rag-agent.yaml"))
    .action(async (dumps, options) =>
      done(await (await import("../commands/author/calibrate.ts")).calibrate(dumps, options, io)),
    );
};

export const declarePromote: Declare = (program, io, done) => {
  withConfig(program.command("promote"))
    .description(
      "turn a failed run into a test: write the run's redacted telemetry, and a query that the run fails",
    )
    .argument("[what...]", "dump files, or the id of a trace or run that a running serve has stored")
    .requiredOption("--spec <file>", "the spec that gets the query")
    .option(
      "--run <id>",
      "id of the run or trace in the dump, or its beginning (default: the first failed run)",
    )
    .option("--like <good>", "expect what a good run did: its id, or a dump with a run of the same query")
    .option("--expect-tools <names>", "expect calls of these tools, such as a,b", list)
    .option("--expect-sequence <names>", "expect calls of these tools in this order, such as a,b", list)
    .option("--forbid <names>", "forbid these tools, such as a,b", list)
    .option("--answer <text>", "expect this text in the answer; repeat for several texts", collect)
    .option("--max-calls <n>", "expect at most this many tool calls", whole(0, 1_000_000))
    .option("--expected-fail", "write expected_fail: true; the test only warns until the agent is fixed")
    .option("--flip", "remove expected_fail from queries, by id or by dumps with passing runs")
    .option("--to <dir>", "folder for the dump (default: fixtures beside the spec)")
    .option("--redact <what>", "none | secrets | all", choice("none", "secrets", "all"), "secrets")
    .option("--cassette", "also write the run's model calls beside the dump, for test --models replay:DIR")
    .option("--judge <mode>", "auto | off | required", choice("auto", "off", "required"))
    .option("--dry-run", "show the query and the checks that the run fails; write nothing")
    .option(...formatOption(["console", "json"], "console"))
    .addHelpText(...example("tracejury promote traces.jsonl --spec specs/rag-agent.yaml --like good.jsonl"))
    .action(async (what, options) =>
      done(await (await import("../commands/author/promote.ts")).promote(what, options, io)),
    );
};

export const declarePropose: Declare = (program, io, done) => {
  withConfig(program.command("propose"))
    .description(
      "turn failed recorded runs into tests, one for each query: redacted dumps and a file of queries",
    )
    .argument("<dump...>", dumps)
    .requiredOption("--spec <file>", "the spec that judges the runs; the spec is not changed")
    .option("--into <file>", "file for the queries (default: NAME.proposed.yaml beside the spec)")
    .option("--to <dir>", "folder for the dumps (default: fixtures beside the spec)")
    .option("--most <number>", "maximum number of tests to write", whole(1, 1000), 20)
    .option("--redact <what>", "none | secrets | all", choice("none", "secrets", "all"), "secrets")
    .option("--cassette", "also write each run's model calls beside its dump, for test --models replay:DIR")
    .option("--dry-run", "show the queries; write nothing")
    .option(...formatOption(["console", "json"], "console"))
    .addHelpText(...example("tracejury propose traces.jsonl --spec specs/rag-agent.yaml --dry-run"))
    .action(async (dumps, options) =>
      done(await (await import("../commands/author/propose.ts")).propose(dumps, options, io)),
    );
};
