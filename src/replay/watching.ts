import { once } from "node:events";
import { statSync } from "node:fs";
import { type FSWatcher, watch } from "chokidar";
import { type ExitCode, type Io, UserError, write } from "../support/process/io.ts";

/**
 * Milliseconds to wait after a change. Further changes in this time count as the same change, because editors write a file in several
 * steps.
 */
const SETTLE_MS = 150;

interface Pass {
  readonly code: ExitCode;
  readonly files: readonly string[];
}

/**
 * Repeats a pass whenever one of its input files changes, until SIGINT or SIGTERM.
 * @returns the exit code of the last pass
 */
export async function untilStopped(run: () => Promise<Pass>, io: Io): Promise<ExitCode> {
  const stop = new AbortController();
  const stopped = Promise.race([once(process, "SIGINT", stop), once(process, "SIGTERM", stop)]);
  stopped.catch(() => undefined);
  let pass: Pass | undefined;
  let watched: Watched | undefined;
  try {
    for (;;) {
      const startMs = Date.now();
      // An error in the first pass is thrown, because the files to watch are not known yet.
      pass = pass === undefined ? await run() : ((await passOf(run, io)) ?? pass);
      const before = watched;
      watched = await watchFiles(pass.files, startMs);
      await before?.close();
      await write(io.stderr, `\nwatching ${pass.files.length} files · Ctrl+C ends\n`);
      const changed = await Promise.race([watched.change, stopped]);
      if (typeof changed !== "string") return pass.code;
      await write(io.stderr, `\n${changed} changed\n\n`);
    }
  } finally {
    stop.abort();
    await watched?.close();
  }
}

interface Watched {
  /** Resolves to the path of the first file that changes. */
  readonly change: Promise<string>;
  close(): Promise<void>;
}

/** Resolves when all files are watched. A file that was written after `startMs` counts as changed. */
async function watchFiles(files: readonly string[], startMs: number): Promise<Watched> {
  const watcher: FSWatcher = watch([...files], {
    ignoreInitial: true,
    awaitWriteFinish: { stabilityThreshold: SETTLE_MS },
  });
  const change = new Promise<string>((resolve) => {
    watcher.on("all", (_, path) => resolve(path));
    watcher.on("ready", () => {
      const missed = files.find(
        (file) => (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) > startMs,
      );
      if (missed !== undefined) resolve(missed);
    });
  });
  await once(watcher, "ready");
  return { change, close: () => watcher.close() };
}

/** Runs a pass. If it throws a `UserError`, for example because a spec is being edited, prints the error and returns undefined. */
async function passOf(run: () => Promise<Pass>, io: Io): Promise<Pass | undefined> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    await write(io.stderr, `error: ${error.message}\n`);
    return undefined;
  }
}
