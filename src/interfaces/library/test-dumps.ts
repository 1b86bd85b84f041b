import { replayOnly } from "../../replay/replay-only.ts";
import type { ResultJson } from "../../report/json/verdict-schema.ts";
import { called, type CommonOptions, TracejuryError } from "./settings.ts";

export interface TestDumpsOptions extends CommonOptions {
  /** Spec files or globs. */
  readonly specs: readonly string[];
  /** Only these queries: ids or texts. */
  readonly queries?: readonly string[];
  /** Only queries that carry one of these tags. */
  readonly tags?: readonly string[];
  /** Whether language models are asked; the configuration's mode when absent. */
  readonly judge?: "auto" | "off" | "required";
  /** Compare with the runs saved under this version. */
  readonly baseline?: string;
  readonly baselineDir?: string;
}

/**
 * Replays dumps against specs: the object that `tracejury test --format json` writes, with its exit code in `summary.exit_code`.
 * @throws TracejuryError for files that are not there, invalid specs and configurations, judges that are required and missing
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
