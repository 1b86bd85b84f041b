import { defaultBody } from "../../../replay/agent/url-call.ts";
import { parseShard } from "../../../replay/judging/shard.ts";
import { formats } from "../../../report/render/formats/format-names.ts";
import { configOptions, type DeclaredCommand } from "./declare-command.ts";
import {
  amount,
  choice,
  collect,
  dumps,
  many,
  oneGateOf,
  oneOf,
  runs,
  share,
  whole,
  workers,
} from "./option-values.ts";

export const evaluateCommands: readonly DeclaredCommand[] = [
  {
    name: "test",
    about: "judge dumps by specs, or run the agent first; print a report, set the exit code",
    table: `${configOptions}
      [dump...]                  ${dumps}
      Input:
      --spec <file>              spec file or glob; repeat for several (default: the configuration's specs)
      --like <dump>              instead of --spec: judge by a spec of what the good runs in this dump have in common; repeat for several
      --exec <command>           run the agent for each query: 'python agent.py {query}'; also {query_id}, {run}, and in conversations {session}, {history}, {messages}, {turn}
      --url <address>            send queries to a running agent, which must send its telemetry to receive.http
      --body <json>              body that --url sends; placeholders: {query}, {query_id}, {run}, and in conversations {session}, {history}, {messages}, {turn}
      --runs <number>            runs of each query; auto: run until the query's reliability gate is decided
      --max-runs <number>        with --runs auto: maximum number of runs of a query (default: 100)
      --budget-usd <amount>      with --runs auto: maximum cost of the agent and its judges, in US dollars
      --workers <number>         threads that judge dumps, or with --exec and --url simultaneous calls of the agent; auto: the number of cores
      --timeout <seconds>        time-out of one call of the agent
      --models <what>            what answers the agent's model calls: live (the provider), replay:DUMP (the answers in a recording; repeat for several) or record:FILE (the provider; calls are recorded in FILE)
      --on-divergence <what>     if a model call differs from the recording: incomplete (the run is undecided) | nearest (judge the run with the most similar answers) | live (run the agent again with the provider) | fail (the run fails) (default: incomplete)
      --models-port <port>       with --url: port for the agent's model calls (default: any free one)
      --fault <kind@n>           inject a fault at the n-th model call of each run, such as rate-limit@2; needs --models replay or live
      --update-recordings        if model calls of a query differ from the recording, repeat the query with the live model and rewrite its cassette
      --keep <dir>               folder for the agent's telemetry (default: calls/TIME in data_dir; you may delete old folders at any time)
      Choose:
      --last-failed              only queries that had a failed or undecided run in the last test
      --watch                    test again when a spec, the configuration or a dump changes, until Ctrl+C
      --query <text|id>          only this query; repeat for several
      --tags <a,b>               only queries with at least one of these tags
      Judge:
      --judge <mode>             auto | off | required: call available judges, call none, or exit if no judge is available (default: judge.mode of the configuration)
      --sample-ensemble <share>  share of the runs, 0 to 1, that all judges of the ensemble judge; one judge judges each run that the ensemble does not judge
      --no-judge-cache           call judges, also if a reply is cached (default: one run of each query uses the cache in data_dir; several runs use only judge.cache)
      Output:
      --verbose                  show every check of every run (default for up to ten runs)
      --quiet                    show only failures, undecided verdicts and counts
      --format <format>          ${formats.join(" | ")}
      --output <format=path>     also write a report to a file; repeat for several
      Exit code:
      --on-incomplete <what>     error | warn | fail: exit code 2, 0 or 1 for incomplete verdicts
      --on-missing <what>        error | warn | fail: exit code 2, 0 or 1 for queries without a run
      --fail-on <what>           warn: warnings also fail; regression: results worse than the baseline also fail; new: only findings that are not in a saved result fail (--fail-on new result.json)
      --known <result>           file with the saved result, for --fail-on new
      --allow-empty              exit code 0 instead of 2 if nothing was judged
      Compare:
      --baseline <version>       compare with the runs saved under this version
      --baseline-dir <dir>       folder of baselines (default: baseline_dir of the configuration, otherwise of the spec)
      Scale:
      --skip-invalid             skip unreadable input; without this option, such input gives exit code 2
      --shard <i/n>              judge only this part of the runs, such as 1/4 for the first of four, and print a part file for tracejury merge`,
    values: {
      like: many,
      body: defaultBody,
      runs: [runs, 1],
      "max-runs": whole(1, 10_000),
      "budget-usd": amount,
      workers: [workers, 1],
      timeout: [whole(1, 86_400), 120],
      models: collect,
      "on-divergence": oneOf("incomplete", "nearest", "live", "fail"),
      "models-port": whole(0, 65_535),
      "sample-ensemble": share,
      "fail-on": oneGateOf("warn", "regression", "new"),
      shard: parseShard,
      output: many,
    },
    example: "tracejury test traces.jsonl --spec specs/rag-agent.yaml --judge off",
    load: async () => (await import("../../../replay/test.ts")).test,
  },
  {
    name: "diff",
    about: "compare two saved versions in correctness, path and cost; exit code 1 for a regression",
    table: `${configOptions}
      ! --baseline <version|file>  the older runs: a saved version, a baseline file, or a dump
      ! --compare <version|file>   the newer runs: a saved version, a baseline file, or a dump
      --spec <file>                judge the runs of both versions by this spec; repeat for several
      --query <text|id>            only this query; repeat for several
      --agent <name>               only this agent
      --baseline-dir <dir>         folder of baselines (default: baseline_dir of the configuration, otherwise of the specs, otherwise ./baselines)
      --judge <mode>               auto | off | required: call available judges, call none, or exit if no judge is available (default: judge.mode of the configuration)
      --fail-on <what>             exit code 1 for: regression | warn | any
      --skip-invalid               skip unreadable input; without this option, such input gives exit code 2
      --format <format>            console | json | github | markdown`,
    values: { "fail-on": [oneOf("regression", "warn", "any"), "regression"] },
    example: "tracejury diff --baseline v1 --compare v2 --spec specs/rag-agent.yaml",
    load: async () => (await import("../commands/evaluate/diff.ts")).diff,
  },
  {
    name: "report",
    about: "compare groups of repeated runs: pass rates with intervals, pass@k, flakiness, cost, differences",
    table: `${configOptions}
      <dump|results...>      dumps, results of test --format json, files of verdicts, or the admin address of a running serve
      --spec <file>          spec that judges dumps; repeat for several (default: the configuration's specs)
      --group-by <what>      query | agent | model | name of a run attribute
      --since <when>         only runs since a date, or since a duration before the newest run (30d, 12h)
      --trend                show when pass rate, cost, latency or tokens of a group changed, and what else changed then
      --base <key>           group with which all other groups are compared, query by query
      --confidence <share>   confidence of the intervals
      --seed <number>        seed of the bootstrap
      --statistics <which>   standard | full (adds sensitivity, transitions, ablation, test power, judge agreement)
      --adjust <method>      holm | bh | bonferroni: correction for many comparisons
      --percentile <method>  linear | nearest
      --interval <method>    wilson (for means: bootstrap) | z: mean ± z·s/√n
      --judge <mode>         auto | off | required: call available judges, call none, or exit if no judge is available (default: judge.mode of the configuration)
      --format <format>      console | json
      --skip-invalid         skip unreadable input; without this option, such input gives exit code 2`,
    values: {
      "group-by": "query",
      confidence: [share, 0.95],
      seed: [Number, 42],
      statistics: [choice, "standard"],
      adjust: [choice, "holm"],
      percentile: [choice, "linear"],
      interval: [oneOf("wilson", "z"), "wilson"],
    },
    example: "tracejury report runs.jsonl --spec specs/rag-agent.yaml --group-by service.version",
    load: async () => (await import("../commands/evaluate/report.ts")).report,
  },
  {
    name: "backtest",
    about: "show which verdicts change when a spec changes, over recorded runs",
    table: `${configOptions}
      <dump...>             ${dumps}
      ! --spec <file>       the new spec; repeat for several
      ! --base <file>       the old spec; repeat for several
      --judge <mode>        auto | off | required: call available judges, call none, or exit if no judge is available (default: judge.mode of the configuration)
      --baseline <version>  compare with the runs saved under this version
      --baseline-dir <dir>  folder of baselines (default: baseline_dir of the configuration, otherwise of the spec)
      --fail-on <what>      exit code 1 for: worse (a verdict changes to fail) | any (a verdict changes)
      --skip-invalid        skip unreadable input; without this option, such input gives exit code 2
      --format <format>     console | json | markdown`,
    values: { base: many, "fail-on": oneOf("worse", "any") },
    example: "tracejury backtest traces.jsonl --spec new.yaml --base old.yaml",
    load: async () => (await import("../commands/evaluate/backtest.ts")).backtest,
  },
  {
    name: "save",
    about: "save the best run of each query as a baseline, if the run passes the layer correctness",
    table: `${configOptions}
      <dump...>             ${dumps}
      --spec <file>         spec file or glob; repeat for several (default: the configuration's specs)
      ! --version <name>    name of the version
      --query <text|id>     only this query; repeat for several
      --tags <a,b>          only queries with at least one of these tags
      --agent <name>        only specs for this agent
      --baseline-dir <dir>  folder of baselines (default: baseline_dir of the configuration, otherwise of the spec)
      --judge <mode>        auto | off | required: call available judges, call none, or exit if no judge is available (default: judge.mode of the configuration)
      --force-save          save a run even if the layer correctness fails or is undecided
      --variant             add the run to the version as another accepted variant; a version has at most five variants
      --redact <what>       none | secrets | all (also e-mail addresses, card and phone numbers): which texts are redacted
      --format <format>     console | json`,
    example: "tracejury save traces.jsonl --spec specs/rag-agent.yaml --version v1",
    load: async () => (await import("../commands/evaluate/save.ts")).save,
  },
  {
    name: "baselines",
    about: "list saved baselines",
    table: `${configOptions}
      --agent <name>        only this agent
      --version <name>      only this version
      --spec <file>         use the baseline_dir of this spec; repeat for several
      --baseline-dir <dir>  folder of baselines (default: baseline_dir of the configuration, otherwise of the specs, otherwise ./baselines)
      --format <format>     console | json`,
    example: "tracejury baselines --agent rag-agent",
    load: async () => (await import("../commands/evaluate/baselines.ts")).baselines,
  },
  {
    name: "merge",
    about: "merge parts of test --shard, or saved results, into one report and exit code",
    table: `
      <part...>               all parts, each part once; or results of test --format json
      --format <format>       ${formats.join(" | ")}
      --output <format=path>  also write a report to a file; repeat for several
      --on-incomplete <what>  error | warn | fail: exit code 2, 0 or 1 for incomplete verdicts
      --on-missing <what>     error | warn | fail: exit code 2, 0 or 1 for queries without a run
      --fail-on <what>        warn | regression | new, as for test
      --known <result>        file with the saved result, for --fail-on new
      --allow-empty           exit code 0 instead of 2 if nothing was judged
      --skip-invalid          skip unreadable input; without this option, such input gives exit code 2`,
    values: { output: many, "fail-on": oneGateOf("warn", "regression", "new") },
    example: "tracejury merge part-1.jsonl part-2.jsonl --format json",
    load: async () => (await import("../commands/evaluate/merge.ts")).merge,
  },
  {
    name: "export-metrics",
    about: "convert a saved result of test --format json to Prometheus metrics",
    table: `
      <result>         file that test --output json=FILE wrote
      --output <file>  write to a file, such as for the textfile collector of node_exporter`,
    example: "tracejury export-metrics result.json --output metrics.prom",
    load: async () => (await import("../commands/operate/export-metrics.ts")).exportMetrics,
  },
];
