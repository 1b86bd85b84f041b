import { type Declare, example, withConfig } from "./option-values.ts";

export const declareRecord: Declare = (program, io, done) => {
  withConfig(program.command("record"))
    .description("run an agent without instrumentation, and record its model calls as runs")
    .argument("<command...>", "command of the agent, after --")
    .option(
      "--out <file>",
      "dump file to which its telemetry and its model calls are appended",
      "traces.jsonl",
    )
    .addHelpText(...example("tracejury record --out traces.jsonl -- python agent.py 'Where is order 17?'"))
    .action(async (command, options) =>
      done(await (await import("../../../replay/agent/recording/record.ts")).record(command, options, io)),
    );
};
