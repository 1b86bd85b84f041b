import { stat } from "node:fs/promises";

/**
 * Observes whether the owner of a lock file is alive, by changes of the file. The file's age is ignored, because clocks jump and differ
 * between machines.
 */
export class HeartbeatWatch {
  readonly #silenceMs: number;
  readonly #now: () => number;
  readonly #seen = new Map<string, { readonly mark: string; readonly sinceMs: number }>();

  /** @param silenceMs milliseconds without a heartbeat after which the owner counts as ended */
  constructor(silenceMs: number, now: () => number = () => performance.now()) {
    this.#silenceMs = silenceMs;
    this.#now = now;
  }

  /**
   * Returns what happened to the lock file since the first call for this path. `beats`: the file has changed. `gone`: the file does not
   * exist. `silent`: the file has not changed for `silenceMs`. `waiting`: the file has not changed, but `silenceMs` have not passed yet.
   */
  async look(path: string): Promise<"gone" | "waiting" | "beats" | "silent"> {
    const mark = await stat(path, { bigint: true }).then(
      ({ ino, mtimeNs }) => `${ino} ${mtimeNs}`,
      () => null,
    );
    const seen = this.#seen.get(path);
    if (mark === null) {
      this.#seen.delete(path);
      return "gone";
    }
    if (seen === undefined) {
      this.#seen.set(path, { mark, sinceMs: this.#now() });
      return "waiting";
    }
    if (seen.mark !== mark) return "beats";
    return this.#now() - seen.sinceMs > this.#silenceMs ? "silent" : "waiting";
  }

  forget(path: string): void {
    this.#seen.delete(path);
  }
}
