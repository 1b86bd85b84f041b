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
    .description("receive OTLP, judge the runs in it, send verdicts out")
    .option(
      "--spec <file>",
      "spec file or glob; repeat for several (instead of the configuration's specs)",
      collect,
      [],
    )
    .option(
      "--demo",
      "show the example specs at work on a few recorded runs, unless a configuration is given",
    )
    .addHelpText(...example("tracejury serve --spec specs/rag-agent.yaml --set export.file=verdicts.jsonl"))
    .action(async (options) => done(await (await import("../commands/operate/serve.ts")).serve(options, io)));
};

export const declareTest: Declare = (program, io, done) => {
  withConfig(program.command("test"))
    .description("replay dumps against specs, or run the agent itself: report and exit code")
    .argument("[dump...]", dumps)
    .optionsGroup("Input:")
    .option(
      "--spec <file>",
      "spec file or glob; repeat for several (the configuration's specs when not given)",
      collect,
      [],
    )
    .option(
      "--like <dump>",
      "instead of a spec: judge by what the good runs in this dump agree on; repeat for several",
      collect,
      [],
    )
    .option(
      "--exec <command>",
      "run the agent for each query: 'python agent.py {query}'; also {query_id}, {run}, and of a conversation {session}, {history}, {turn}",
    )
    .option("--url <address>", "ask an agent that runs already; its telemetry is expected at receive.http")
    .option(
      "--body <json>",
      "what --url sends; also {query_id}, {run}, and of a conversation {session}, {history}, {messages}, {turn}",
      defaultBody,
    )
    .option(
      "--runs <number>",
      "how often each query is put to the agent; auto: until its reliability gate is decided",
      runs,
      1,
    )
    .option(
      "--max-runs <number>",
      "with --runs auto: no more runs of a query (100 when not given)",
      whole(1, 10_000),
    )
    .option("--budget-usd <amount>", "with --runs auto: no more for the agent and its judges", amount)
    .option(
      "--workers <number>",
      "threads that share a replay, or calls of the agent at a time; auto: as many as there are cores",
      workers,
      1,
    )
    .option("--timeout <seconds>", "for one call of the agent", whole(1, 86_400), 120)
    .option(
      "--models <what>",
      "what answers the agent's model calls: live, replay:DUMP (repeat for several) or record:FILE",
      collect,
    )
    .option(
      "--on-divergence <what>",
      "incomplete | nearest | live | fail: a request that is not as recorded",
      choice("incomplete", "nearest", "live", "fail"),
      "incomplete",
    )
    .option(
      "--models-port <port>",
      "with --url: where the agent's model calls are expected",
      whole(0, 65_535),
      0,
    )
    .option(
      "--fault <kind@n>",
      "with --models replay: what goes wrong at the n-th model call of each run, such as rate-limit@2 (docs/resilience.md)",
    )
    .option("--update-recordings", "run diverged queries with the model, and write their cassettes anew")
    .option("--keep <dir>", "where what the agent sends is kept (below data_dir when not given)")
    .optionsGroup("Choose:")
    .option("--last-failed", "only queries of which a run failed or was not decided in the last test")
    .option("--watch", "judge again when a spec, the configuration or a dump changes, until Ctrl+C")
    .option("--query <text|id>", "only this query; repeat for several", collect, [])
    .option("--tags <a,b>", "only queries that carry one of these tags", list)
    .optionsGroup("Judge:")
    .option(...judgeOption)
    .option(
      "--sample-ensemble <share>",
      "put this share of the runs to all judges of the ensemble, 0 to 1",
      share,
    )
    .option(
      "--no-judge-cache",
      "call judges again instead of using cached replies (without --runs, replies are cached in data_dir)",
    )
    .optionsGroup("Output:")
    .option("--verbose", "every check of every run; so it is for ten runs or fewer")
    .option("--quiet", "failures and the counts only")
    .option("--format <format>", formats.join(" | "), choice(...formats), "console")
    .option("--output <format=path>", "also write a report to a file; repeat for several", collect, [])
    .optionsGroup("Exit code:")
    .option("--on-incomplete <what>", "error | warn | fail", choice("error", "warn", "fail"), "error")
    .option("--on-missing <what>", "error | warn | fail", choice("error", "warn", "fail"), "error")
    .option(
      "--fail-on <what>",
      "warn: warnings fail too; regression: a result worse than the baseline fails too; new: only findings that a saved result lacks count (--fail-on new result.json)",
      choice("warn", "regression", "new"),
    )
    .option("--known <result>", "the saved result, where it does not stand behind --fail-on new")
    .option("--allow-empty", "exit code 0 where nothing was judged: no run, or none of a selected query")
    .optionsGroup("Compare:")
    .option("--baseline <version>", "compare with the runs saved under this version")
    .option("--baseline-dir <dir>", "where baselines are (the spec's baseline_dir when not given)")
    .optionsGroup("Scale:")
    .option("--skip-invalid", "go on after input that cannot be read, without exit code 2")
    .option(
      "--shard <i/n>",
      "judge only this share of the runs, and write a part for merge to stdout",
      parseShard,
    )
    .addHelpText(...example("tracejury test traces.jsonl --spec specs/rag-agent.yaml --judge off"))
    .action(async (dumps, options) =>
      done(await (await import("../../../replay/test.ts")).test(dumps, options, io)),
    );
};

export const declareMerge: Declare = (program, io, done) => {
  program
    .command("merge")
    .description("join what test --shard wrote, or saved results: report and exit code as of one process")
    .argument("<part...>", "files with the parts, every share once; or results of test --format json")
    .option("--format <format>", formats.join(" | "), choice(...formats), "console")
    .option("--output <format=path>", "also write a report to a file; repeat for several", collect, [])
    .option("--on-incomplete <what>", "error | warn | fail", choice("error", "warn", "fail"), "error")
    .option("--on-missing <what>", "error | warn | fail", choice("error", "warn", "fail"), "error")
    .option("--fail-on <what>", "warn | regression | new, as of test", choice("warn", "regression", "new"))
    .option("--known <result>", "the saved result for --fail-on new")
    .option("--allow-empty", "exit code 0 where nothing was judged")
    .option("--skip-invalid", "input that could not be read does not give exit code 2")
    .addHelpText(...example("tracejury merge part-1.jsonl part-2.jsonl --format json"))
    .action(async (files, options) =>
      done(await (await import("../commands/evaluate/merge.ts")).merge(files, options, io)),
    );
};

export const declareJudgeAudit: Declare = (program, io, done) => {
  withConfig(program.command("judge-audit"))
    .description("put recorded answers to the judges several times: can they be trusted?")
    .argument("<dump...>", dumps)
    .requiredOption("--spec <file>", "spec file or glob; repeat for several", collect)
    .option("--repeats <number>", "how often each answer is judged, 2 to 20", repeats, 3)
    .option("--labels <file>", "people's labels: run id, query id or query text, each pass or fail")
    .option("--probes", "also look for a bias to longer answers and to what comes first")
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
    .description("list queries without a run, and questions without a query, ready to paste")
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
      "show what is new or different about runs, without a spec: tools, hand-offs, answers, errors, questions",
    )
    .argument(
      "<dump...>",
      "dump files, folders or globs; - reads standard input; or the admin address of a running serve, with --since",
    )
    .option("--reference <dump>", "dumps of the period to compare with; repeat for several", collect, [])
    .option("--since <when>", "in place of a reference: runs since a date or 7d against those before")
    .option(
      "--spec <file>",
      "specs whose queries cover questions; repeat (absent: questions of the reference)",
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
    .description("make good recorded runs bad, one fault at a time: which faults would the spec let pass?")
    .argument("<dump...>", dumps)
    .requiredOption("--spec <file>", "spec file or glob; repeat for several", collect)
    .option("--query <text|id>", "only this query; repeat for several", collect, [])
    .option("--tags <a,b>", "only queries that carry one of these tags", list)
    .option("--mutants <number>", "mutants of each kind a run, 1 to 100", mutants, 3)
    .option("--seed <number>", "which mutants, where a run could have more", seed, 42)
    .option(
      "--write",
      "put the checks that would notice the rest into the specs, where all good runs pass them",
    )
    .option("--min-strength <share>", "exit code 1 when a smaller share of the mutants is noticed", share)
    .option(...formatOption(["console", "json"], "console"))
    .addHelpText(...example("tracejury strength traces.jsonl --spec specs/rag-agent.yaml"))
    .action(async (dumps, options) =>
      done(await (await import("../commands/understand/strength.ts")).strength(dumps, options, io)),
    );
};

export const declareReport: Declare = (program, io, done) => {
  withConfig(program.command("report"))
    .description("repeated runs by group: pass rates with intervals, pass@k, flakiness, cost, differences")
    .argument(
      "<dump|results...>",
      "dumps, results of test --format json, files of verdicts, or the admin address of a running serve",
    )
    .option(
      "--spec <file>",
      "what dumps are judged by; repeat (the configuration's when absent)",
      collect,
      [],
    )
    .option("--group-by <what>", "query | agent | model | name of a run attribute", "query")
    .option("--since <when>", "only runs since: a date, or so long before the newest run (30d, 12h)")
    .option("--trend", "when pass rate, cost, latency and tokens of each group changed, and what else did")
    .option("--base <key>", "the group that others are compared with, query by query")
    .option("--confidence <share>", "of the intervals", share, 0.95)
    .option("--seed <number>", "of the bootstrap", Number, 42)
    .option(
      "--statistics <which>",
      "standard | full: also sensitivity, transitions, ablation, power, agreement of judges",
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
    .option("--skip-invalid", "go on after input that cannot be read, without exit code 2")
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
    .description("a saved result of test --format json as Prometheus metrics")
    .argument("<result>", "file that test --output json=FILE wrote")
    .option("--output <file>", "write to a file, such as one of node_exporter's textfile collector")
    .addHelpText(...example("tracejury export-metrics result.json --output metrics.prom"))
    .action(async (file, options) =>
      done(await (await import("../commands/operate/export-metrics.ts")).exportMetrics(file, options, io)),
    );
};

export const declareInspect: Declare = (program, io, done) => {
  withConfig(program.command("inspect"))
    .description("the assembled runs, before any spec: one JSON object a line")
    .argument("<dump...>", dumps)
    .option(...formatOption(["json", "tree"], "tree"))
    .option("--run <id>", "only this run: its id, or the beginning of it")
    .option("--full", "with messages, system instructions and tool definitions")
    .option(
      "--explain",
      "for each fact, the span and attribute it was read from, and which others were rejected and why",
    )
    .addHelpText(...example("tracejury inspect traces.jsonl --format json"))
    .action(async (dumps, options) =>
      done(await (await import("../commands/understand/inspect.ts")).inspect(dumps, options, io)),
    );
};

export const declareDoctor: Declare = (program, io, done) => {
  withConfig(program.command("doctor"))
    .description("show which producers wrote this telemetry, which evidence it has, and what to switch on")
    .argument(
      "<dump...>",
      "dump files, folders or globs, - for standard input; or the admin address of a running serve",
    )
    .option("--spec <file>", "spec file or glob: which of its checks can be supported; repeat", collect, [])
    .option(...formatOption(["console", "json"], "console"))
    .option(
      "--propose-dialect",
      "print a draft of `dialects` for the configuration: what attributes that no dialect names seem to hold",
    )
    .addHelpText(...example("tracejury doctor traces.jsonl --spec specs/rag-agent.yaml"))
    .action(async (dumps, options) =>
      done(await (await import("../commands/understand/doctor.ts")).doctor(dumps, options, io)),
    );
};

export const declareValidate: Declare = (program, io, done) => {
  program
    .command("validate")
    .description("check specs and configurations: every problem at once, with its place and a fix")
    .argument("<file...>", "spec or configuration files")
    .option("--fix", "apply fixes that are certain: misspelt keys, lists, quotes, shares, ambiguous names")
    .option(...formatOption(["console", "json"], "console"))
    .addHelpText(...example("tracejury validate specs/*.yaml tracejury.yaml"))
    .action(async (files, options) =>
      done(await (await import("../commands/understand/validate.ts")).validate(files, options, io)),
    );
};

export const declareConfig: Declare = (program, io, done) => {
  const config = program.command("config").description("the configuration: print");
  withConfig(config.command("print"))
    .description("the configuration as it takes effect: every value, where it is from, secrets masked")
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
