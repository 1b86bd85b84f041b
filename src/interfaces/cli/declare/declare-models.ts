import { choice, collect, type Declare, dumps, example, whole, withConfig } from "./option-values.ts";

/** Recorded answers of models: as files, and as a server. */
export const declareModels: Declare = (program, io, done) => {
  const models = program.command("models").description("recorded answers of models: pack | serve");
  withConfig(models.command("pack"))
    .description("write the model calls of recorded runs as cassettes: small files to commit beside a spec")
    .argument("<dump...>", dumps)
    .requiredOption(
      "--spec <file>",
      "spec file or glob, whose queries are packed; repeat for several",
      collect,
    )
    .requiredOption("--out <dir>", "where the cassettes are written")
    .option(
      "--redact <what>",
      "none | secrets | all: what is taken out",
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
    .option("--port <port>", "0: any free one", whole(0, 65_535), 0)
    .addHelpText(...example("tracejury models serve cassettes/ --port 4320"))
    .action(async (files, options) =>
      done(await (await import("../commands/operate/models.ts")).serveModels(files, options, io)),
    );
};
