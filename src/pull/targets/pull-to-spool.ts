import { Writable } from "node:stream";
import { systemClock } from "../../judge/limits/clock.ts";
import type { DumpPath } from "../../receive/dump/files/paths.ts";
import type { Spool } from "../../receive/dump/files/spool.ts";
import { rangeOf, parseSourceAddress } from "../address.ts";
import { pull, pulledText } from "../pull.ts";
import { PullProgress } from "../pull-progress.ts";
import { windowOf } from "../window.ts";

const noOutput = new Writable({ write: (_chunk, _encoding, done) => done() });

export interface PullToSpoolOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Stream for progress and summary. */
  readonly stderr: NodeJS.WriteStream | undefined;
}

/**
 * Copies the data of a store into temporary files, and returns these files as dumps. Reports data that the store did not return as invalid
 * input.
 * Rejects with `UserError` if the store cannot be read.
 */
export async function pullToSpool(
  source: string,
  spool: Spool,
  { env, stderr }: PullToSpoolOptions,
): Promise<DumpPath[]> {
  const address = parseSourceAddress(source);
  const range = rangeOf(address, {});
  const window = windowOf(range, systemClock.now());
  const { name } = address;
  const file = spool.open();
  const copied: DumpPath[] = [];
  let counts = { spans: 0, traces: 0, files: 0 };
  try {
    const pulled = await pull(
      address,
      {
        window,
        limit: range.limit,
        cursor: null,
        earlier: { ...counts, invalid: [], gaps: [] },
        env,
        clock: systemClock,
        progress: new PullProgress(stderr ?? noOutput, name),
      },
      async (part) => {
        file.write(part.text);
        for (const { name: path, open } of part.files)
          copied.push({ name: `${name}/${path}`, named: false, ...(await spool.take(await open())) });
        ({ counts } = part);
      },
    );
    stderr?.write(pulledText({ ...pulled, name, window, counts, isResumed: false }));
    const invalid = [...pulled.gaps, ...pulled.invalid].map((reason) => ({ line: 1, reason }));
    return [...copied, { name, path: file.path, size: file.size, named: true, invalid }];
  } finally {
    file.close();
  }
}
