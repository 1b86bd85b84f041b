import { collect, type Declare, example, judgeOption, withConfig } from "./option-values.ts";

/** The command for coding agents. */
export const declareMcp: Declare = (program, io, done) => {
  withConfig(program.command("mcp"))
    .description(
      "tools for coding agents (Model Context Protocol), on standard input and output or over HTTP",
    )
    .option("--http <address>", "listen for streamable HTTP at http://ADDRESS/mcp instead")
    .option("--collector <url>", "the admin port of a running collector", "http://127.0.0.1:4319")
    .option("--root <dir>", "the only folder whose files are read (where it was started, when not given)")
    .option("--allow-write", "spec files in that folder may be written")
    .option("--allow-judges", "allow language models as judges, which cost money")
    .option("--allow-commands", "`run_spec` may run the programs that a spec's `checks:` name")
    .addHelpText(...example("tracejury mcp --collector http://127.0.0.1:4319"))
    .action(async (options) => done(await (await import("../commands/operate/mcp.ts")).mcp(options, io)));
};

/** The command behind plug-ins of test runners. */
export const declareSession: Declare = (program, io, done) => {
  withConfig(program.command("session"))
    .description(
      "for plug-ins of test runners: receive telemetry on a free port, and answer requests, a line of JSON each, on standard input",
    )
    .option(...judgeOption)
    .option("--keep <dir>", "where what the agents send is kept (deleted in the end when not given)")
    .option(
      "--models <what>",
      "replay:DUMP: recorded answers for the agents' model calls, whose address is in the first line of output; repeat for several",
      collect,
      [],
    )
    .addHelpText(...example("tracejury session --judge off"))
    .action(async (options) =>
      done(await (await import("../commands/operate/session.ts")).session(options, io)),
    );
};
