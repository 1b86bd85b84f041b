import { collect, type Declare, example, judgeOption, withConfig } from "./option-values.ts";

/** Declares the command for coding agents. */
export const declareMcp: Declare = (program, io, done) => {
  withConfig(program.command("mcp"))
    .description(
      "serve tools for coding agents (Model Context Protocol), on standard input and output or over HTTP",
    )
    .option("--http <address>", "serve streamable HTTP at http://ADDRESS/mcp instead")
    .option("--collector <url>", "the admin port of a running collector", "http://127.0.0.1:4319")
    .option("--root <dir>", "the only folder to read files from (default: the working directory)")
    .option("--allow-write", "allow spec files in that folder to be written")
    .option("--allow-judges", "allow language models as judges, which cost money")
    .option("--allow-commands", "allow `run_spec` to run programs that a spec names in `checks:`")
    .addHelpText(...example("tracejury mcp --collector http://127.0.0.1:4319"))
    .action(async (options) => done(await (await import("../commands/operate/mcp.ts")).mcp(options, io)));
};

/** Declares the command that test-runner plug-ins use. */
export const declareSession: Declare = (program, io, done) => {
  withConfig(program.command("session"))
    .description("receive telemetry and answer JSON requests on standard input, for plug-ins of test runners")
    .option(...judgeOption)
    .option("--keep <dir>", "folder for the agents' telemetry (default: a temporary one)")
    .option(
      "--models <what>",
      "what answers the agents' model calls: replay:DUMP (repeat for several), record:FILE or live; the first line of output has its address",
      collect,
      [],
    )
    .option(
      "--fault <kind@n>",
      "with --models replay or live: inject a fault at the n-th model call of each call of the agent",
    )
    .addHelpText(...example("tracejury session --judge off"))
    .action(async (options) =>
      done(await (await import("../commands/operate/session.ts")).session(options, io)),
    );
};
