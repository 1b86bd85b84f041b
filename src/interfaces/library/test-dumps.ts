import { replayOnly } from "../../replay/replay-only.ts";
import type { ResultJson } from "../../report/json/verdict-schema.ts";
import { called, type CommonOptions, TracejuryError } from "./settings.ts";

export interface TestDumpsOptions extends CommonOptions {
  /** Spec files or globs. */
  readonly specs: readonly string[];
  /** Ids or texts of the queries to evaluate. By default, all queries are evaluated. */
  readonly queries?: readonly string[];
  /** Tags of the queries to evaluate. A query needs at least one of the tags. */
  readonly tags?: readonly string[];
  /**
   * `auto`: checks use the judges that are available. `off`: checks with a judge are skipped. `required`: throws if a judge is not
   * available. The default is the mode in the configuration.
   */
  readonly judge?: "auto" | "off" | "required";
  /** Version of the saved runs with which runs are compared. */
  readonly baseline?: string;
  readonly baselineDir?: string;
}

/**
 * Evaluates dumps against specs. Returns the object that `tracejury test --format json` writes.
 * `summary.exit_code` is the exit code.
 * @throws TracejuryError if a file is missing, a spec or configuration is invalid, or a required judge is not
 * available
 */
export async function testDumps(dumps: readonly string[], options: TestDumpsOptions): Promise<ResultJson> {
  const { test } = await import("../../replay/test.ts");
  const { stdout, stderr } = await called(options, (io) =>
    test(
      dumps,
      {
        ...replayOnly,
        config: options.config ?? [],
        set: options.set ?? [],
        spec: options.specs,
        query: options.queries ?? [],
        ...(options.tags === undefined ? {} : { tags: options.tags }),
        ...(options.judge === undefined ? {} : { judge: options.judge }),
        ...(options.baseline === undefined ? {} : { baseline: options.baseline }),
        ...(options.baselineDir === undefined ? {} : { baselineDir: options.baselineDir }),
        format: "json",
      },
      io,
    ),
  );
  if (stdout === "") throw new TracejuryError(stderr);
  return JSON.parse(stdout) as ResultJson;
}
