import { type Declare, example, whole } from "./option-values.ts";

export const declarePull: Declare = (program, io, done) => {
  program
    .command("pull")
    .description("write traces of a store into dump files, and continue where the last pull ended")
    .argument(
      "<source...>",
      "phoenix:URL/PROJECT, langfuse:URL, mlflow:URL/EXPERIMENT, jaeger:URL/SERVICE, tempo:URL, clickhouse:URL/TABLE or s3://BUCKET/PREFIX, each with ?since=, ?until= and ?limit= of its own",
    )
    .option("--since <time>", "a duration such as 24h or 7d, or a date (24h; later the end of the last pull)")
    .option("--until <time>", "a duration before now, or a date (now when not given)")
    .option("--limit <traces>", "most traces of each source", whole(1, 1e8))
    .option("--out <dir>", "where the files and the state of the pull are written", "dumps")
    .addHelpText(...example("tracejury pull phoenix:http://localhost:6006/default --since 24h --out dumps/"))
    .action(async (sources, options) =>
      done(await (await import("../commands/operate/pull.ts")).pull(sources, options, io)),
    );
};
