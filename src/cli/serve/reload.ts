import { dirname } from "node:path";
import { watch } from "chokidar";
import type { Log } from "../../telemetry/log.ts";

export interface ReloadOptions {
  /** Reads everything anew and makes it count; rejects when something is wrong, with all as it was. Gives what to say. */
  readonly reload: () => Promise<object>;
  readonly log: Log;
  readonly onOutcome: (outcome: "done" | "failed") => void;
}

/** One reload after the other; a request during one leads to one more after it, however many they are. */
export class Reloading {
  readonly #options: ReloadOptions;
  #running: Promise<void> | undefined;
  #again: string | undefined;

  constructor(options: ReloadOptions) {
    this.#options = options;
  }

  /** Settles when what is on the disk now has been read. Never rejects. */
  request(why: string): Promise<void> {
    if (this.#running !== undefined) {
      this.#again = why;
      return this.#running;
    }
    this.#running = this.#run(why);
    return this.#running;
  }

  async #run(first: string): Promise<void> {
    let why: string | undefined = first;
    while (why !== undefined) {
      this.#again = undefined;
      await this.#once(why);
      why = this.#again;
    }
    this.#running = undefined;
  }

  async #once(why: string): Promise<void> {
    const { reload, log, onOutcome } = this.#options;
    try {
      const said = await reload();
      log.info({ why, ...said }, "reloaded");
      onOutcome("done");
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      log.error({ why, reason }, "not reloaded: what was good before stays");
      onOutcome("failed");
    }
  }
}

/** Watches files, and folders for files that come to be in them. */
export function watchFiles(
  files: readonly string[],
  onChange: (file: string) => void,
): { close(): Promise<void> } {
  // The folders: a file that is replaced by renaming is another file.
  const folders = [...new Set(files.map((file) => dirname(file)))];
  const wanted = new Set(files);
  const isOurs = (path: string): boolean => wanted.has(path) || /\.ya?ml$/.test(path);
  const watcher = watch(folders, {
    ignoreInitial: true,
    depth: 0,
    // Something that goes on growing beside them, such as a file of verdicts, would be looked at again and again, even after the end.
    ignored: (path, stats) => stats?.isFile() === true && !isOurs(path),
    awaitWriteFinish: { stabilityThreshold: 100, pollInterval: 20 },
  });
  watcher.on("all", (_event, path) => {
    if (isOurs(path)) onChange(path);
  });
  return { close: () => watcher.close() };
}
