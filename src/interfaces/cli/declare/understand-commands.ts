import { configOptions, type DeclaredCommand } from "./declare-command.ts";
import { choice, dumps, many, share, whole } from "./option-values.ts";

export const understandCommands: readonly DeclaredCommand[] = [
  {
    name: "inspect",
    about: "show the assembled runs, without a spec",
    table: `${configOptions}
      <dump...>          ${dumps}
      --format <format>  tree | json
      --run <id>         only the run with this id, or with an id that begins with this text
      --full             also show messages, system instructions and tool definitions
      --explain          show the source of each value, and why other sources were rejected`,
    values: { format: [choice, "tree"] },
    example: "tracejury inspect traces.jsonl --format json",
    load: async () => (await import("../commands/understand/inspect.ts")).inspect,
  },
  {
    name: "doctor",
    about: "show what wrote the telemetry, which evidence it has, and which settings record missing evidence",
    table: `${configOptions}
      <dump...>          dump files, folders or globs; - for standard input; the admin address of a running serve
      --spec <file>      show for which checks of this spec the telemetry has evidence; repeat for several
      --format <format>  console | json
      --propose-dialect  print a draft of \`dialects\` for the configuration, from unknown attributes`,
    example: "tracejury doctor traces.jsonl --spec specs/rag-agent.yaml",
    load: async () => (await import("../commands/understand/doctor.ts")).doctor,
  },
  {
    name: "coverage",
    about: "list queries without a run, and users' questions that match no query, ready to paste into a spec",
    table: `${configOptions}
      <dump...>          ${dumps}
      --spec <file>      spec file or glob; repeat for several (default: the configuration's specs)
      --format <format>  console | json`,
    example: "tracejury coverage traces.jsonl --spec specs/rag-agent.yaml",
    load: async () => (await import("../commands/understand/coverage.ts")).coverage,
  },
  {
    name: "drift",
    about:
      "show what is new or different in runs, without a spec: tools, hand-offs, answers, errors, queries",
    table: `${configOptions}
      <dump...>           dump files, folders or globs; - for standard input; or, with --since, the admin address of a running serve
      --reference <dump>  dumps of the reference period; repeat for several
      --since <when>      instead of --reference: compare the runs since a date, or of the last 7d, with the earlier runs in the dump
      --spec <file>       specs with the known queries; repeat for several (default: the queries of the reference)
      --format <format>   console | json`,
    values: { reference: many },
    example: "tracejury drift traces.jsonl --since 7d",
    load: async () => (await import("../commands/understand/drift.ts")).drift,
  },
  {
    name: "strength",
    about: "change good recorded runs, one fault at a time, and show which faults the spec does not detect",
    table: `${configOptions}
      <dump...>               ${dumps}
      --spec <file>           spec file or glob; repeat for several (default: the configuration's specs)
      --query <text|id>       only this query; repeat for several
      --tags <a,b>            only queries with at least one of these tags
      --mutants <number>      number of changed copies (mutants) of each run for each kind of fault, 1 to 100
      --seed <number>         seed of the random choice of mutants
      --write                 add checks to the specs that detect further faults; only checks that all good runs pass
      --min-strength <share>  exit code 1 if the spec detects less than this share of the mutants, 0 to 1
      --format <format>       console | json`,
    values: { mutants: [whole(1, 100), 3], seed: [whole(0, 2 ** 32 - 1), 42], "min-strength": share },
    example: "tracejury strength traces.jsonl --spec specs/rag-agent.yaml",
    load: async () => (await import("../commands/understand/strength.ts")).strength,
  },
  {
    name: "judge-audit",
    about: "judge recorded answers several times, to measure how reliable judges are",
    table: `${configOptions}
      <dump...>           ${dumps}
      --spec <file>       spec file or glob; repeat for several (default: the configuration's specs)
      --repeats <number>  how often each answer is judged, 2 to 20
      --labels <file>     file with human labels: pass or fail for a run id, query id or text of a query
      --probes            also test for two biases: towards longer answers, and by the order of evidence and criteria in the prompt
      --format <format>   console | json`,
    values: { repeats: [whole(2, 20), 3] },
    example:
      "tracejury judge-audit traces.jsonl --spec specs/rag-agent.yaml --repeats 5 --labels labels.yaml",
    load: async () => (await import("../commands/evaluate/judge-audit.ts")).judgeAudit,
  },
];
