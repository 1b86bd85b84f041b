import { defaultBody } from "../../../replay/agent/url-call.ts";
import { parseShard } from "../../../replay/judging/shard.ts";
import { formats } from "../../../report/render/formats/format-names.ts";
import {
  amount,
  choice,
  collect,
  type Declare,
  dumps,
  example,
  formatOption,
  judgeOption,
  list,
  mutants,
  repeats,
  runs,
  seed,
  share,
  whole,
  withConfig,
  workers,
} from "./option-values.ts";

/*
 * The command line as its contract has it.
 */

export const declareServe: Declare = (program, io, done) => {
  withConfig(program.command("serve"))
    .description("receive OTLP, judge agent runs, export verdicts")
    .option(
      "--spec <file>",
      "spec file or glob; repeat for several specs (instead of the configuration's specs)",
      collect,
      [],
    )
    .option("--demo", "show the example specs with a few recorded runs, unless a configuration is given")
    .addHelpText(...example("tracejury serve --spec specs/rag-agent.yaml --set export.file=verdicts.jsonl"))
    .action(async (options) => done(await (await import("../commands/operate/serve.ts")).serve(options, io)));
};

export const declareTest: Declare = (program, io, done) => {
  withConfig(program.command("test"))
    .description("judge dumps by specs, or run the agent first; print a report, set the exit code")
    .argument("[dump...]", dumps)
    .optionsGroup("Input:")
    .option(
      "--spec <file>",
      "spec file or glob; repeat for several specs (default: the configuration's specs)",
      collect,
      [],
    )
    .option(
      "--like <dump>",
      "judge by the common properties of the good runs in this dump, instead of by a spec; repeat for several dumps",
      collect,
      [],
    )
    .option(
      "--exec <command>",
      "run the agent for each query: 'python agent.py {query}'; also {query_id}, {run}, and in conversations {session}, {history}, {turn}",
    )
    .option("--url <address>", "send queries to a running agent; its telemetry is expected at receive.http")
    .option(
      "--body <json>",
      "body that --url sends; also {query_id}, {run}, and in conversations {session}, {history}, {messages}, {turn}",
      defaultBody,
    )
    .option(
      "--runs <number>",
      "runs of each query; auto: run until the query's reliability gate is decided",
      runs,
      1,
    )
    .option(
      "--max-runs <number>",
      "with --runs auto: maximum runs of a query (default: 100)",
      whole(1, 10_000),
    )
    .option(
      "--budget-usd <amount>",
      "with --runs auto: maximum cost of the agent and its judges, in US dollars",
      amount,
    )
    .option(
      "--workers <number>",
      "threads of a replay, or simultaneous calls of the agent; auto: the number of cores",
      workers,
      1,
    )
    .option("--timeout <seconds>", "time-out of one call of the agent", whole(1, 86_400), 120)
    .option(
      "--models <what>",
      "source of answers for the agent's model calls: live, replay:DUMP (repeat for several dumps) or record:FILE",
      collect,
    )
    .option(
      "--on-divergence <what>",
      "effect of a model call that differs from the recording: incomplete | nearest | live | fail (default: incomplete)",
      choice("incomplete", "nearest", "live", "fail"),
    )
    .option(
      "--models-port <port>",
      "with --url: port for the agent's model calls (default: any free one)",
      whole(0, 65_535),
    )
    .option(
      "--fault <kind@n>",
      "with --models replay or live: inject a fault at the n-th model call of each run, such as rate-limit@2 (docs/resilience.md)",
    )
    .option(
      "--update-recordings",
      "run queries whose model calls differ from the recording with the live model, and rewrite their cassettes",
    )
    .option("--keep <dir>", "folder for the agent's telemetry (default: below data_dir)")
    .optionsGroup("Choose:")
    .option("--last-failed", "test only queries that had a failed or undecided run in the last test")
    .option("--watch", "repeat the test when a spec, the configuration or a dump changes, until Ctrl+C")
    .option("--query <text|id>", "only this query; repeat for several queries", collect, [])
    .option("--tags <a,b>", "only queries with one of these tags", list)
    .optionsGroup("Judge:")
    .option(...judgeOption)
    .option(
      "--sample-ensemble <share>",
      "ask all judges of the ensemble about this share of the runs, 0 to 1",
      share,
    )
    .option(
      "--no-judge-cache",
      "call judges again instead of using cached replies (without --runs, data_dir caches replies)",
    )
    .optionsGroup("Output:")
    .option("--verbose", "show every check of every run (default for up to ten runs)")
    .option("--quiet", "show only failures, undecided verdicts and counts")
    .option("--format <format>", formats.join(" | "), choice(...formats), "console")
    .option(
      "--output <format=path>",
      "also write a report to a file; repeat for several reports",
      collect,
      [],
    )
    .optionsGroup("Exit code:")
    .option("--on-incomplete <what>", "error | warn | fail", choice("error", "warn", "fail"), "error")
    .option("--on-missing <what>", "error | warn | fail", choice("error", "warn", "fail"), "error")
    .option(
      "--fail-on <what>",
      "warn: warnings also fail; regression: results worse than the baseline also fail; new: only findings that are not in a saved result fail (--fail-on new result.json)",
      choice("warn", "regression", "new"),
    )
    .option("--known <result>", "the saved result for --fail-on new")
    .option("--allow-empty", "exit code 0 if nothing was judged")
    .optionsGroup("Compare:")
    .option("--baseline <version>", "compare with the runs saved under this version")
    .option("--baseline-dir <dir>", "folder of baselines (default: the spec's baseline_dir)")
    .optionsGroup("Scale:")
    .option("--skip-invalid", "skip unreadable input instead of ending with exit code 2")
    .option("--shard <i/n>", "judge only this share of the runs, and print a part for merge", parseShard)
    .addHelpText(...example("tracejury test traces.jsonl --spec specs/rag-agent.yaml --judge off"))
    .action(async (dumps, options) =>
      done(await (await import("../../../replay/test.ts")).test(dumps, options, io)),
    );
};

export const declareMerge: Declare = (program, io, done) => {
  program
    .command("merge")
    .description("merge parts of test --shard, or saved results, into one report and exit code")
    .argument("<part...>", "all parts, each part once; or results of test --format json")
    .option("--format <format>", formats.join(" | "), choice(...formats), "console")
    .option(
      "--output <format=path>",
      "also write a report to a file; repeat for several reports",
      collect,
      [],
    )
    .option("--on-incomplete <what>", "error | warn | fail", choice("error", "warn", "fail"), "error")
    .option("--on-missing <what>", "error | warn | fail", choice("error", "warn", "fail"), "error")
    .option("--fail-on <what>", "warn | regression | new, as for test", choice("warn", "regression", "new"))
    .option("--known <result>", "the saved result for --fail-on new")
    .option("--allow-empty", "exit code 0 if nothing was judged")
    .option("--skip-invalid", "skip unreadable input instead of ending with exit code 2")
    .addHelpText(...example("tracejury merge part-1.jsonl part-2.jsonl --format json"))
    .action(async (files, options) =>
      done(await (await import("../commands/evaluate/merge.ts")).merge(files, options, io)),
    );
};

export const declareJudgeAudit: Declare = (program, io, done) => {
  withConfig(program.command("judge-audit"))
    .description("judge recorded answers several times, to measure how reliable judges are")
    .argument("<dump...>", dumps)
    .requiredOption("--spec <file>", "spec file or glob; repeat for several", collect)
    .option("--repeats <number>", "how often each answer is judged, 2 to 20", repeats, 3)
    .option("--labels <file>", "labels by people: pass or fail for run ids, query ids or query texts")
    .option("--probes", "also test for a bias to longer answers and to the first position")
    .option(...formatOption(["console", "json"], "console"))
    .addHelpText(
      ...example(
        "tracejury judge-audit traces.jsonl --spec specs/rag-agent.yaml --repeats 5 --labels labels.yaml",
      ),
    )
    .action(async (dumps, options) =>
      done(await (await import("../commands/evaluate/judge-audit.ts")).judgeAudit(dumps, options, io)),
    );
};

export const declareCoverage: Declare = (program, io, done) => {
  withConfig(program.command("coverage"))
    .description(
      "list queries without a run, and users' questions without a query, as queries that you can paste",
    )
    .argument("<dump...>", dumps)
    .requiredOption("--spec <file>", "spec file or glob; repeat for several", collect)
    .option(...formatOption(["console", "json"], "console"))
    .addHelpText(...example("tracejury coverage traces.jsonl --spec specs/rag-agent.yaml"))
    .action(async (dumps, options) =>
      done(await (await import("../commands/understand/coverage.ts")).coverage(dumps, options, io)),
    );
};

export const declareDrift: Declare = (program, io, done) => {
  withConfig(program.command("drift"))
    .description(
      "show what is new or different in runs, without a spec: tools, hand-offs, answers, errors, queries",
    )
    .argument(
      "<dump...>",
      "dump files, folders or globs; - for standard input; or, with --since, the admin address of a running serve",
    )
    .option("--reference <dump>", "dumps of the reference period; repeat for several dumps", collect, [])
    .option(
      "--since <when>",
      "instead of a reference: compare runs since a date, or since a duration before now such as 7d, with earlier runs",
    )
    .option(
      "--spec <file>",
      "specs with the known queries; repeat for several specs (default: the queries of the reference)",
      collect,
      [],
    )
    .option(...formatOption(["console", "json"], "console"))
    .addHelpText(...example("tracejury drift traces.jsonl --since 7d"))
    .action(async (dumps, options) =>
      done(await (await import("../commands/understand/drift.ts")).drift(dumps, options, io)),
    );
};

export const declareStrength: Declare = (program, io, done) => {
  withConfig(program.command("strength"))
    .description(
      "change good recorded runs, one fault at a time, and show which faults the spec does not notice",
    )
    .argument("<dump...>", dumps)
    .requiredOption("--spec <file>", "spec file or glob; repeat for several", collect)
    .option("--query <text|id>", "only this query; repeat for several queries", collect, [])
    .option("--tags <a,b>", "only queries with one of these tags", list)
    .option("--mutants <number>", "mutants of each kind for a run, 1 to 100", mutants, 3)
    .option("--seed <number>", "seed that chooses among mutants", seed, 42)
    .option("--write", "write checks that notice more faults into the specs, if all good runs pass them")
    .option("--min-strength <share>", "exit code 1 if the spec notices a smaller share of the mutants", share)
    .option(...formatOption(["console", "json"], "console"))
    .addHelpText(...example("tracejury strength traces.jsonl --spec specs/rag-agent.yaml"))
    .action(async (dumps, options) =>
      done(await (await import("../commands/understand/strength.ts")).strength(dumps, options, io)),
    );
};

export const declareReport: Declare = (program, io, done) => {
  withConfig(program.command("report"))
    .description(
      "compare groups of repeated runs: pass rates with intervals, pass@k, flakiness, cost, differences",
    )
    .argument(
      "<dump|results...>",
      "dumps, results of test --format json, files of verdicts, or the admin address of a running serve",
    )
    .option(
      "--spec <file>",
      "spec that judges dumps; repeat for several specs (default: the configuration's specs)",
      collect,
      [],
    )
    .option("--group-by <what>", "query | agent | model | name of a run attribute", "query")
    .option("--since <when>", "only runs since a date, or since a duration before the newest run (30d, 12h)")
    .option(
      "--trend",
      "report when pass rate, cost, latency and tokens of each group changed, and what else changed at that time",
    )
    .option("--base <key>", "compare the other groups with this group, query by query")
    .option("--confidence <share>", "confidence of the intervals", share, 0.95)
    .option("--seed <number>", "seed of the bootstrap", Number, 42)
    .option(
      "--statistics <which>",
      "standard | full (adds sensitivity, transitions, ablation, power, agreement of judges)",
      choice("standard", "full"),
      "standard",
    )
    .option(
      "--adjust <method>",
      "holm | bh | bonferroni: correction for many comparisons",
      choice("holm", "bh", "bonferroni"),
      "holm",
    )
    .option("--percentile <method>", "linear | nearest", choice("linear", "nearest"), "linear")
    .option(
      "--interval <method>",
      "wilson (means: bootstrap) | z: mean ± z·s/√n",
      choice("wilson", "z"),
      "wilson",
    )
    .option("--judge <mode>", "auto | off | required", choice("auto", "off", "required"))
    .option(...formatOption(["console", "json"], "console"))
    .option("--skip-invalid", "skip unreadable input instead of ending with exit code 2")
    .addHelpText(
      ...example("tracejury report runs.jsonl --spec specs/rag-agent.yaml --group-by service.version"),
    )
    .action(async (inputs, options) =>
      done(await (await import("../commands/evaluate/report.ts")).report(inputs, options, io)),
    );
};

export const declareExportMetrics: Declare = (program, io, done) => {
  program
    .command("export-metrics")
    .description("convert a saved result of test --format json to Prometheus metrics")
    .argument("<result>", "file that test --output json=FILE wrote")
    .option("--output <file>", "write to a file, such as for the textfile collector of node_exporter")
    .addHelpText(...example("tracejury export-metrics result.json --output metrics.prom"))
    .action(async (file, options) =>
      done(await (await import("../commands/operate/export-metrics.ts")).exportMetrics(file, options, io)),
    );
};

export const declareInspect: Declare = (program, io, done) => {
  withConfig(program.command("inspect"))
    .description("show the assembled runs, without a spec")
    .argument("<dump...>", dumps)
    .option(...formatOption(["json", "tree"], "tree"))
    .option("--run <id>", "only the run with this id or prefix of an id")
    .option("--full", "also show messages, system instructions and tool definitions")
    .option(
      "--explain",
      "show the span and attribute of each value, the rejected spans and attributes, and the reason",
    )
    .addHelpText(...example("tracejury inspect traces.jsonl --format json"))
    .action(async (dumps, options) =>
      done(await (await import("../commands/understand/inspect.ts")).inspect(dumps, options, io)),
    );
};

export const declareDoctor: Declare = (program, io, done) => {
  withConfig(program.command("doctor"))
    .description(
      "show the producers of the telemetry, its evidence, and the settings that record missing evidence",
    )
    .argument(
      "<dump...>",
      "dump files, folders or globs; - for standard input; or the admin address of a running serve",
    )
    .option(
      "--spec <file>",
      "show which checks of this spec have evidence; repeat for several specs",
      collect,
      [],
    )
    .option(...formatOption(["console", "json"], "console"))
    .option(
      "--propose-dialect",
      "print a draft of `dialects` for the configuration, with attributes that no dialect knows",
    )
    .addHelpText(...example("tracejury doctor traces.jsonl --spec specs/rag-agent.yaml"))
    .action(async (dumps, options) =>
      done(await (await import("../commands/understand/doctor.ts")).doctor(dumps, options, io)),
    );
};

export const declareValidate: Declare = (program, io, done) => {
  program
    .command("validate")
    .description("check specs and configurations; report all problems with their places and fixes")
    .argument("<file...>", "spec or configuration files")
    .option(
      "--fix",
      "apply the fixes that are certain: misspelt keys, lists, quotes, shares, ambiguous names",
    )
    .option(...formatOption(["console", "json"], "console"))
    .addHelpText(...example("tracejury validate specs/*.yaml tracejury.yaml"))
    .action(async (files, options) =>
      done(await (await import("../commands/understand/validate.ts")).validate(files, options, io)),
    );
};

export const declareConfig: Declare = (program, io, done) => {
  const config = program.command("config").description("work with the configuration: print");
  withConfig(config.command("print"))
    .description("print the effective configuration: each value with its source, secrets masked")
    .option(...formatOption(["yaml", "json"], "yaml"))
    .addHelpText(...example("tracejury config print --config tracejury.yaml --set receive.http=off"))
    .action(async (options) =>
      done(await (await import("../commands/understand/config-print.ts")).configPrint(options, io)),
    );
};

export const declareSchema: Declare = (program, io, done) => {
  program
    .command("schema")
    .description("print a JSON Schema: spec | config | verdict")
    .argument("<which>", "spec | config | verdict", choice("spec", "config", "verdict"))
    .addHelpText(...example("tracejury schema spec > spec.schema.json"))
    .action(async (which) =>
      done(await (await import("../commands/understand/schema.ts")).schema(which, io)),
    );
};
