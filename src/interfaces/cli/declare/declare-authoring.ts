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
    .description("which verdicts a changed spec would flip, over recorded runs")
    .argument("<dump...>", dumps)
    .requiredOption("--spec <file>", "the changed spec; repeat for several", collect)
    .requiredOption("--base <file>", "the spec as it was; repeat for several", collect)
    .option("--judge <mode>", "auto | off | required", choice("auto", "off", "required"))
    .option("--baseline <version>", "compare with the runs saved under this version")
    .option("--baseline-dir <dir>", "where baselines are (the spec's baseline_dir when not given)")
    .option(
      "--fail-on <what>",
      "worse | any: exit code 1 when a verdict flips to fail, or at all",
      choice("worse", "any"),
    )
    .option("--skip-invalid", "go on after input that cannot be read, without exit code 2")
    .option(...formatOption(["console", "json", "markdown"], "console"))
    .addHelpText(...example("tracejury backtest traces.jsonl --spec new.yaml --base old.yaml"))
    .action(async (dumps, options) =>
      done(await (await import("../commands/evaluate/backtest.ts")).backtest(dumps, options, io)),
    );
};

export const declareInit: Declare = (program, io, done) => {
  withConfig(program.command("init"))
    .description("write a spec, a configuration and a CI workflow; the spec from recorded runs where given")
    .option("--agent <name>", "the agent: of the spec, or which one of the recorded ones")
    .option("--from <dump>", "dump whose runs the spec is made from; repeat for several", collect, [])
    .option("--strict", "with --from: add the checks that notice what the written spec lets pass, too")
    .option("--from-agentci <file>", "make the spec from AgentCI's file")
    .option("--from-evalview <file>", "make it from EvalView's test cases, a file or a folder of them")
    .option("--from-promptfoo <file>", "make it from a promptfoo configuration")
    .option("--from-adk <file>", "make it from an ADK EvalSet")
    .option("--from-agentevals <file>", "make it from reference trajectories of LangChain agentevals")
    .option("--dir <dir>", "where the files go", ".")
    .option("--force", "write a spec anew that is there already; it is kept as FILE.bak")
    .option(
      "--all",
      "write all files anew, the configuration and the workflow, too; each is kept as FILE.bak",
    )
    .addHelpText(...example("tracejury init --from traces.jsonl"))
    .action(async (options) => done(await (await import("../commands/author/init.ts")).init(options, io)));
};

export const declareCalibrate: Declare = (program, io, done) => {
  withConfig(program.command("calibrate"))
    .description("which budgets of a spec fit recorded runs, and which would")
    .argument("<dump...>", dumps)
    .requiredOption("--spec <file>", "spec file or glob; repeat for several", collect)
    .option("--write", "put the proposed limits into the specs")
    .option(...formatOption(["console", "json"], "console"))
    .addHelpText(...example("tracejury calibrate traces.jsonl --spec specs/rag-agent.yaml"))
    .action(async (dumps, options) =>
      done(await (await import("../commands/author/calibrate.ts")).calibrate(dumps, options, io)),
    );
};

export const declarePromote: Declare = (program, io, done) => {
  withConfig(program.command("promote"))
    .description("make a test of a run that went wrong: its telemetry, redacted, and a query that it fails")
    .argument("[what...]", "dump files, or the id of a trace or run that a running serve has kept")
    .requiredOption("--spec <file>", "the spec that gets the query")
    .option(
      "--run <id>",
      "id of a run or trace in the dump: which one (the first that failed when not given)",
    )
    .option("--like <good>", "expect what a good run did: its id, or a dump with a run of the same question")
    .option("--expect-tools <names>", "expect these tools to be called, as in a,b", list)
    .option("--expect-sequence <names>", "expect these tools to be called in this order, as in a,b", list)
    .option("--forbid <names>", "forbid these tools, as in a,b", list)
    .option("--answer <text>", "expect this text in the answer; repeat for several", collect)
    .option("--max-calls <n>", "expect no more tool calls than this", whole(0, 1_000_000))
    .option(
      "--expected-fail",
      "write expected_fail: true, so that the test only warns until the agent is fixed",
    )
    .option(
      "--flip",
      "remove expected_fail instead: from the queries whose ids are given, or whose runs pass in the dumps given",
    )
    .option("--to <dir>", "where the dump goes (fixtures beside the spec when not given)")
    .option("--redact <what>", "none | secrets | all", choice("none", "secrets", "all"), "secrets")
    .option("--cassette", "also write the run's model calls beside the dump, for test --models replay:DIR")
    .option("--judge <mode>", "auto | off | required", choice("auto", "off", "required"))
    .option("--dry-run", "write nothing, show the query and how the run fails it")
    .option(...formatOption(["console", "json"], "console"))
    .addHelpText(...example("tracejury promote traces.jsonl --spec specs/rag-agent.yaml --like good.jsonl"))
    .action(async (what, options) =>
      done(await (await import("../commands/author/promote.ts")).promote(what, options, io)),
    );
};

export const declarePropose: Declare = (program, io, done) => {
  withConfig(program.command("propose"))
    .description(
      "tests of what went wrong in recorded runs, one for each question: redacted dumps and a file of queries",
    )
    .argument("<dump...>", dumps)
    .requiredOption("--spec <file>", "the spec that the runs are judged by; it is not changed")
    .option("--into <file>", "file for the queries (NAME.proposed.yaml beside the spec when not given)")
    .option("--to <dir>", "where the dumps go (fixtures beside the spec when not given)")
    .option("--most <number>", "no more tests than this", whole(1, 1000), 20)
    .option("--redact <what>", "none | secrets | all", choice("none", "secrets", "all"), "secrets")
    .option("--cassette", "also write each run's model calls beside its dump, for test --models replay:DIR")
    .option("--dry-run", "write nothing, show the queries")
    .option(...formatOption(["console", "json"], "console"))
    .addHelpText(...example("tracejury propose traces.jsonl --spec specs/rag-agent.yaml --dry-run"))
    .action(async (dumps, options) =>
      done(await (await import("../commands/author/propose.ts")).propose(dumps, options, io)),
    );
};
