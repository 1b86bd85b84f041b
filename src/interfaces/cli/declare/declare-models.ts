import { choice, collect, type Declare, dumps, example, whole, withConfig } from "./option-values.ts";

/** Declares the commands for recorded model answers: as files and as a server. */
export const declareModels: Declare = (program, io, done) => {
  const models = program.command("models").description("work with recorded model answers: pack | serve");
  withConfig(models.command("pack"))
    .description("write model calls of recorded runs to cassettes, small files to commit beside a spec")
    .argument("<dump...>", dumps)
    .requiredOption(
      "--spec <file>",
      "spec file or glob with the queries to pack; repeat for several specs",
      collect,
    )
    .requiredOption("--out <dir>", "folder for the cassettes")
    .option(
      "--redact <what>",
      "what to redact: none | secrets | all",
      choice("none", "secrets", "all"),
      "secrets",
    )
    .addHelpText(
      ...example("tracejury models pack traces.jsonl --spec specs/rag-agent.yaml --out cassettes/"),
    )
    .action(async (files, options) =>
      done(await (await import("../commands/operate/models.ts")).packModels(files, options, io)),
    );
  withConfig(models.command("serve"))
    .description("answer model calls from recorded runs, until Ctrl+C")
    .argument("<dump...>", "dumps, cassettes, folders or globs")
    .option("--port <port>", "port to listen on; 0 is any free port", whole(0, 65_535), 0)
    .addHelpText(...example("tracejury models serve cassettes/ --port 4320"))
    .action(async (files, options) =>
      done(await (await import("../commands/operate/models.ts")).serveModels(files, options, io)),
    );
};
