import { stat } from "node:fs/promises";

/**
 * Observes whether the owner of a lock file is alive. The watch looks for changes instead of comparing the
 * file's age, because clocks jump and differ between machines.
 */
export class HeartbeatWatch {
  readonly #silenceMs: number;
  readonly #now: () => number;
  readonly #seen = new Map<string, { readonly mark: string; readonly sinceMs: number }>();

  /** @param silenceMs an owner without a heartbeat for this long is considered ended */
  constructor(silenceMs: number, now: () => number = () => performance.now()) {
    this.#silenceMs = silenceMs;
    this.#now = now;
  }

  /**
   * Returns `beats` when the file has changed since the first look, and `gone` when the file does not exist.
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
