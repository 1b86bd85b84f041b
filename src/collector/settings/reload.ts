import { existsSync } from "node:fs";
import { dirname, normalize } from "node:path";
import { type FSWatcher, watch } from "chokidar";
import type { Log } from "../../support/telemetry/log/log.ts";
import { messageOf } from "../../support/structures/error-message.ts";

export interface ReloadOptions {
  /**
   * Reads all files, and activates the new configuration. If a file is invalid, rejects and changes nothing. Resolves to data for the log
   * message.
   */
  readonly reload: () => Promise<object>;
  readonly log: Log;
  readonly onOutcome: (outcome: "done" | "failed") => void;
  readonly now?: () => number;
}

export interface ReloadResult {
  /** Whether the reload succeeded. After a failed reload, nothing has changed. */
  readonly ok: boolean;
  /** Trigger of the reload, such as `SIGHUP`. */
  readonly why: string;
  /** Error message; null if the reload succeeded. */
  readonly reason: string | null;
  readonly at_unix_ms: number;
}

/** Runs one reload at a time. If reloads are requested during a reload, one more reload follows. */
export class Reloading {
  readonly #options: ReloadOptions;
  #running: Promise<void> | undefined;
  #again: string | undefined;
  #last: ReloadResult | null = null;

  constructor(options: ReloadOptions) {
    this.#options = options;
  }

  /** Result of the last reload; null before the first reload. */
  get last(): ReloadResult | null {
    return this.#last;
  }

  /** Requests a reload. When a reload that began after this call has ended, resolves to the result of the last reload. Never rejects. */
  async request(why: string): Promise<ReloadResult | null> {
    if (this.#running === undefined) this.#running = this.#run(why);
    else this.#again = why;
    await this.#running;
    return this.#last;
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
    const { reload, log, onOutcome, now = Date.now } = this.#options;
    const ended = (reason: string | null): void => {
      this.#last = { ok: reason === null, why, reason, at_unix_ms: now() };
      onOutcome(reason === null ? "done" : "failed");
    };
    try {
      const details = await reload();
      log.info({ why, ...details }, "reloaded");
      ended(null);
    } catch (error) {
      const reason = messageOf(error);
      log.error(
        { why, reason },
        "the configuration was not reloaded, so the previous configuration stays active: fix the reason, and reload again",
      );
      ended(reason);
    }
  }
}

/** Calls `onChange` when one of the files changes, or a YAML file in one of the folders is changed or added. */
export function watchFiles(
  files: readonly string[],
  yamlFolders: readonly string[],
  onChange: (file: string) => void,
): { close(): Promise<void> } {
  // Watches folders instead of files: a file that an editor replaces by renaming is a new file, which a watch on the old file would miss.
  const folders = [...new Set([...files.map((file) => dirname(file)), ...yamlFolders])];
  const wanted = new Set(files.map((file) => normalize(file)));
  const open = new Set(yamlFolders.map((folder) => normalize(folder)));
  // Kubernetes writes each version of a mounted ConfigMap or Secret into a new folder named `..TIME`, and then removes the previous folder.
  const isRelevantFile = (path: string): boolean =>
    wanted.has(normalize(path)) ||
    /(?:^|\/)\.\.[^/]+$/.test(path) ||
    (/\.ya?ml$/.test(path) && open.has(normalize(dirname(path))));
  const watcher = watch(folders, {
    ignoreInitial: true,
    depth: 0,
    // Ignores other files. Otherwise a file in the folder that grows, such as the verdict file, would be checked constantly.
    ignored: (path, stats) => stats?.isFile() === true && !isRelevantFile(path),
    awaitWriteFinish: { stabilityThreshold: 100, pollInterval: 20 },
  });
  const watchers = [watcher, ...folders.filter((folder) => !existsSync(folder)).map(watchMissing)];
  for (const one of watchers)
    one.on("all", (_event, path) => {
      if (isRelevantFile(path)) onChange(path);
    });
  return { close: async () => void (await Promise.all(watchers.map((one) => one.close()))) };
}

/** Watches for a folder that does not exist yet, and for files in it, which can appear together with the folder. */
function watchMissing(name: string): FSWatcher {
  const folder = normalize(name);
  return watch(dirname(folder), {
    ignoreInitial: false,
    depth: 1,
    ignored: (path) =>
      ![dirname(folder), folder].includes(normalize(path)) && normalize(dirname(path)) !== folder,
    awaitWriteFinish: { stabilityThreshold: 100, pollInterval: 20 },
  });
}
