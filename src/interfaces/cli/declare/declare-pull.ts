import { type Declare, example, whole } from "./option-values.ts";

export const declarePull: Declare = (program, io, done) => {
  program
    .command("pull")
    .description(
      "copy traces of an observability backend to dump files, continuing where the last pull ended",
    )
    .argument(
      "<source...>",
      "phoenix:URL/PROJECT, langfuse:URL, mlflow:URL/EXPERIMENT, jaeger:URL/SERVICE, tempo:URL, clickhouse:URL/TABLE or s3://BUCKET/PREFIX; each accepts ?since=, ?until= and ?limit=",
    )
    .option(
      "--since <time>",
      "a duration such as 24h or 7d, or a date (default: the end of the last pull, at first 24h)",
    )
    .option("--until <time>", "a duration before now, or a date (default: now)")
    .option("--limit <traces>", "maximum traces of each source", whole(1, 1e8))
    .option("--out <dir>", "folder for the files and the state of the pull", "dumps")
    .addHelpText(...example("tracejury pull phoenix:http://localhost:6006/default --since 24h --out dumps/"))
    .action(async (sources, options) =>
      done(await (await import("../commands/operate/pull.ts")).pull(sources, options, io)),
    );
};
