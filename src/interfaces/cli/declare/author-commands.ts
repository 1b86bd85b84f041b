import { configOptions, type DeclaredCommand } from "./declare-command.ts";
import { choice, collect, dumps, list, many, text, whole } from "./option-values.ts";

export const authorCommands: readonly DeclaredCommand[] = [
  {
    name: "init",
    about: "write a spec, a configuration and a CI workflow; with --from, make the spec from recorded runs",
    table: `${configOptions}
      --agent <name>            name of the agent; with --from, name of the recorded agent
      --from <dump>             dump with good runs, or address of a running serve; repeat for several (default: the configured collector, if it has runs)
      --strict                  with --from: add checks for faults that the spec would otherwise not detect
      --from-agentci <file>     make the spec from a file of AgentCI
      --from-evalview <file>    make the spec from test cases of EvalView, a file or a folder
      --from-promptfoo <file>   make the spec from a promptfoo configuration
      --from-adk <file>         make the spec from an ADK EvalSet
      --from-agentevals <file>  make the spec from reference trajectories of LangChain agentevals
      --dir <dir>               folder for the files
      --add                     with --from: add queries to an existing spec for recorded questions that match no query
      --force                   replace an existing spec; keep the old one as FILE.bak
      --all                     also replace configuration and workflow; keep the old files as FILE.bak`,
    values: { from: many, dir: "." },
    example: "tracejury init --from traces.jsonl",
    load: async () => (await import("../commands/author/init.ts")).init,
  },
  {
    name: "promote",
    about: "make a test from a failed run: its redacted telemetry, and a query that the run fails",
    table: `${configOptions}
      [what...]                  dump files, or the id of a trace or run that a running serve has stored
      ! --spec <file>            the spec that gets the query
      --run <id>                 id of the run or trace, or the beginning of the id (default: the first failed run; if no run failed, the first run with an error, a warning or no query; otherwise the only run)
      --like <good>              expect the tool calls of a good run: the id of the good run, or a dump with a good run of the same query
      --expect-tools <a,b>       expect calls of these tools
      --expect-sequence <a,b>    expect calls of these tools in this order
      --forbid <a,b>             forbid these tools
      --answer <text>            expect this text in the answer; repeat for several
      --max-calls <n>            expect at most this many tool calls
      --expected-fail            write expected_fail: true; the test only warns until the agent is fixed
      --flip                     remove expected_fail from queries; the argument is the id of a query, or a dump with runs that now pass
      --to <dir>                 folder for the dump (default: fixtures in the spec's folder)
      --redact <what>            none | secrets | all (also e-mail addresses, card and phone numbers): which texts are redacted
      --cassette                 also write the run's model calls into the dump's folder, for test --models replay:DIR
      --judge <mode>             auto | off | required: call available judges, call none, or exit if no judge is available (default: judge.mode of the configuration)
      --dry-run                  show the query and the checks that the run fails; write nothing
      --format <format>          console | json`,
    values: {
      spec: text,
      "expect-tools": list,
      "expect-sequence": list,
      forbid: list,
      answer: collect,
      "max-calls": whole(0, 1_000_000),
    },
    example: "tracejury promote traces.jsonl --spec specs/rag-agent.yaml --like good.jsonl",
    load: async () => (await import("../commands/author/promote.ts")).promote,
  },
  {
    name: "propose",
    about: "turn failed recorded runs into tests, one for each query: redacted dumps and a file of queries",
    table: `${configOptions}
      <dump...>          ${dumps}
      ! --spec <file>    the spec that judges the runs; the spec is not changed
      --into <file>      file for the queries (default: NAME.proposed.yaml in the spec's folder)
      --to <dir>         folder for the dumps (default: fixtures in the spec's folder)
      --most <number>    maximum number of tests to write
      --redact <what>    none | secrets | all (also e-mail addresses, card and phone numbers): which texts are redacted
      --cassette         also write the run's model calls into the dump's folder, for test --models replay:DIR
      --dry-run          show the queries; write nothing
      --format <format>  console | json`,
    values: { spec: text, most: [whole(1, 1000), 20] },
    example: "tracejury propose traces.jsonl --spec specs/rag-agent.yaml --dry-run",
    load: async () => (await import("../commands/author/propose.ts")).propose,
  },
  {
    name: "calibrate",
    about: "compare the limits of a spec with recorded runs, and propose better limits",
    table: `${configOptions}
      <dump...>          ${dumps}
      --spec <file>      spec file or glob; repeat for several (default: the configuration's specs)
      --write            write the proposed limits into the specs
      --format <format>  console | json`,
    example: "tracejury calibrate traces.jsonl --spec specs/rag-agent.yaml",
    load: async () => (await import("../commands/author/calibrate.ts")).calibrate,
  },
  {
    name: "validate",
    about: "check specs and configurations; report all problems with positions and hints",
    table: `
      [file...]          specs and configurations: files, folders or globs (default: tracejury.yaml and its specs)
      --fix              correct problems that have only one possible correction: misspelt keys, missing lists and quotes, percentages instead of shares, ambiguous names
      --format <format>  console | json`,
    example: "tracejury validate specs/*.yaml tracejury.yaml",
    load: async () => (await import("../commands/understand/validate.ts")).validate,
  },
  {
    name: "schema",
    about: "print a JSON Schema: spec | config | verdict",
    table: `
      <which>  spec | config | verdict`,
    values: { which: choice },
    example: "tracejury schema spec > spec.schema.json",
    load: async () => (await import("../commands/understand/schema.ts")).schema,
  },
];
