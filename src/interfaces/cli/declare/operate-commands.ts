import { configOptions, type DeclaredCommand } from "./declare-command.ts";
import { choice, dumps, many, oneOf, whole } from "./option-values.ts";

export const operateCommands: readonly DeclaredCommand[] = [
  {
    name: "serve",
    about: "receive OTLP, judge agent runs, export verdicts",
    table: `${configOptions}
      --spec <file>  spec file or glob; repeat for several (instead of the configuration's specs)
      --demo         if there is no configuration file: use example specs, and show a few recorded runs`,
    example: "tracejury serve --spec specs/rag-agent.yaml --set export.file=verdicts.jsonl",
    load: async () => (await import("../commands/operate/serve.ts")).serve,
  },
  {
    name: "record",
    about: "run an agent without instrumentation, and record its model calls as runs",
    table: `${configOptions}
      <command...>  command of the agent, after --
      --out <file>  dump file, to which telemetry and model calls are appended`,
    values: { out: "traces.jsonl" },
    example: "tracejury record --out traces.jsonl -- python agent.py 'Where is order 17?'",
    load: async () => (await import("../../../replay/agent/recording/record.ts")).record,
  },
  {
    name: "pull",
    about: "copy traces of an observability backend to dump files, continuing where the last pull ended",
    table: `
      <source...>       phoenix:URL/PROJECT, langfuse:URL, mlflow:URL/EXPERIMENT, jaeger:URL/SERVICE, tempo:URL, clickhouse:URL/TABLE or s3://BUCKET/PREFIX; each accepts ?since=, ?until= and ?limit=
      --since <time>    only traces since a date, or of the last 24h or 7d (default: since the end of the last pull; for the first pull 24h)
      --until <time>    only traces until a date, or until a duration before now (default: now)
      --limit <traces>  maximum number of traces of each source
      --out <dir>       folder for the files and the state of the pull`,
    values: { limit: whole(1, 1e8), out: "dumps" },
    example: "tracejury pull phoenix:http://localhost:6006/default --since 24h --out dumps/",
    load: async () => (await import("../commands/operate/pull.ts")).pull,
  },
  {
    name: "models pack",
    about:
      "write model calls of recorded runs to cassettes: small files that can be committed next to a spec",
    table: `${configOptions}
      <dump...>        ${dumps}
      --spec <file>    spec file or glob with the queries to pack; repeat for several (default: the configuration's specs)
      ! --out <dir>    folder for the cassettes
      --redact <what>  none | secrets | all (also e-mail addresses, card and phone numbers): which texts are redacted`,
    values: { redact: [oneOf("none", "secrets", "all"), "secrets"] },
    example: "tracejury models pack traces.jsonl --spec specs/rag-agent.yaml --out cassettes/",
    load: async () => (await import("../commands/operate/models.ts")).packModels,
  },
  {
    name: "models serve",
    about: "answer model calls from recorded runs, until Ctrl+C",
    table: `${configOptions}
      <dump...>      dumps, cassettes, folders or globs
      --port <port>  port to listen on; 0 is any free port`,
    values: { port: [whole(0, 65_535), 0] },
    example: "tracejury models serve cassettes/ --port 4320",
    load: async () => (await import("../commands/operate/models.ts")).serveModels,
  },
  {
    name: "resilience",
    about: "run the agent while its model calls get injected faults, and report the outcome of each run",
    table: `${configOptions}
      ! --exec <command>   run the agent for each query: 'python agent.py {query}'
      --spec <file>        spec file or glob with the checks for the runs; repeat for several (default: the configuration's specs)
      ! --models <what>    what answers the agent's model calls: replay:DUMP (the answers in a recording; repeat for several) or live (the provider)
      --fault <kind>       only this kind of fault; repeat for several (default: the kinds in the spec, otherwise all except slow)
      --query <text|id>    only this query; repeat for several
      --tags <a,b>         only queries with at least one of these tags
      --judge <mode>       auto | off | required: call available judges, call none, or exit if no judge is available (default: judge.mode of the configuration)
      --timeout <seconds>  time-out of one call of the agent
      --keep <dir>         folder for the agent's telemetry (default: in data_dir)
      --expect <what>      exit code 1 for outcomes worse than recovered | degraded (default: the spec's expect)
      --format <format>    console | json`,
    values: {
      models: many,
      fault: many,
      timeout: [whole(1, 86_400), 60],
      expect: oneOf("recovered", "degraded"),
    },
    example:
      "tracejury resilience --exec 'python agent.py {query}' --spec specs/rag-agent.yaml --models replay:cassettes/ --expect recovered",
    load: async () => (await import("../../../replay/resilience/resilience.ts")).resilience,
  },
  {
    name: "config print",
    about: "print the effective configuration: each value with its source, secrets masked",
    table: `${configOptions}
      --format <format>  yaml | json`,
    values: { format: [choice, "yaml"] },
    example: "tracejury config print --config tracejury.yaml --set receive.http=off",
    load: async () => (await import("../commands/understand/config-print.ts")).configPrint,
  },
  {
    name: "mcp",
    about:
      "serve tools for coding agents (Model Context Protocol), on standard input and output or over HTTP",
    table: `${configOptions}
      --http <address>   serve streamable HTTP at http://ADDRESS/mcp instead of standard input
      --collector <url>  the admin port of a running collector
      --root <dir>       the only folder to read files from (default: the working directory)
      --allow-write      allow writing of spec files in the --root folder
      --allow-judges     allow calls of judge models, which cost money
      --allow-commands   allow \`run_spec\` to run programs that a spec names in \`checks:\``,
    values: { collector: "http://127.0.0.1:4319" },
    example: "tracejury mcp --collector http://127.0.0.1:4319",
    load: async () => (await import("../commands/operate/mcp.ts")).mcp,
  },
  {
    name: "session",
    about: "receive telemetry and answer JSON requests on standard input, for plug-ins of test runners",
    table: `${configOptions}
      --judge <mode>    auto | off | required: call available judges, call none, or exit if no judge is available (default: judge.mode of the configuration)
      --keep <dir>      folder for the agents' telemetry (default: a temporary one)
      --models <what>   what answers the agents' model calls: replay:DUMP (the answers in a recording; repeat for several), record:FILE (the provider; calls are recorded in FILE) or live (the provider); the first line of output has the variables for the agents' environment
      --fault <kind@n>  inject a fault at the n-th model call of each call of the agent; needs --models replay or live`,
    values: { models: many },
    example: "tracejury session --judge off",
    load: async () => (await import("../commands/operate/session.ts")).session,
  },
];
