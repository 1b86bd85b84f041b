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
    .description("run the agent with injected faults of its model, and report the outcome of each run")
    .requiredOption("--exec <command>", "run the agent for each query: 'python agent.py {query}'")
    .requiredOption(
      "--spec <file>",
      "spec file or glob with the checks for the runs; repeat for several specs",
      collect,
    )
    .requiredOption(
      "--models <what>",
      "replay:DUMP (recorded answers) or live (the provider's): the answers into which faults are injected; repeat replay: for several dumps",
      collect,
    )
    .option(
      "--fault <kind>",
      "only this kind of fault; repeat for several kinds (default: the kinds in the spec, otherwise all except slow)",
      collect,
      [],
    )
    .option("--query <text|id>", "only this query; repeat for several queries", collect, [])
    .option("--tags <a,b>", "only queries with one of these tags", list)
    .option(...judgeOption)
    .option("--timeout <seconds>", "time-out of one call of the agent", whole(1, 86_400), 60)
    .option("--keep <dir>", "folder for the agent's telemetry (default: below data_dir)")
    .option(
      "--expect <what>",
      "exit code 1 for outcomes worse than recovered | degraded (default: the spec's expect)",
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
