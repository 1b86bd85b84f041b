import {
  choice,
  collect,
  type Declare,
  example,
  judgeOption,
  list,
  whole,
  withConfig,
} from "./option-values.ts";

export const declareResilience: Declare = (program, io, done) => {
  withConfig(program.command("resilience"))
    .description("run the agent with faults of its model on purpose, and say what became of each run")
    .requiredOption("--exec <command>", "run the agent for each query: 'python agent.py {query}'")
    .requiredOption(
      "--spec <file>",
      "spec file or glob, whose checks judge the runs; repeat for several",
      collect,
    )
    .requiredOption(
      "--models <what>",
      "replay:DUMP | live: the answers between which the faults are, recorded or of the provider; repeat replay: for several",
      collect,
    )
    .option(
      "--fault <kind>",
      "only this kind of fault; repeat for several (those of the spec when not given, else all but slow)",
      collect,
      [],
    )
    .option("--query <text|id>", "only this query; repeat for several", collect, [])
    .option("--tags <a,b>", "only queries that carry one of these tags", list)
    .option(...judgeOption)
    .option("--timeout <seconds>", "for one call of the agent", whole(1, 86_400), 60)
    .option("--keep <dir>", "where what the agent sends is kept (below data_dir when not given)")
    .option(
      "--expect <what>",
      "recovered | degraded: anything worse is exit code 1 (what the spec says when not given)",
      choice("recovered", "degraded"),
    )
    .option("--format <format>", "console | json", choice("console", "json"), "console")
    .addHelpText(
      ...example(
        "tracejury resilience --exec 'python agent.py {query}' --spec specs/rag-agent.yaml --models replay:cassettes/ --expect recovered",
      ),
    )
    .action(async (options) => {
      const { resilience } = await import("../../../replay/resilience/resilience.ts");
      done(await resilience({ ...options, onIncomplete: "error", onMissing: "error" }, io));
    });
};
