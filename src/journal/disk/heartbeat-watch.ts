import { stat } from "node:fs/promises";

/**
 * Observes whether the owner of a lock file is alive. Only changes of the file count, not its age, because
 * clocks jump and differ between machines.
 */
export class HeartbeatWatch {
  readonly #silenceMs: number;
  readonly #now: () => number;
  readonly #seen = new Map<string, { readonly mark: string; readonly sinceMs: number }>();

  /** @param silenceMs time in milliseconds after which an owner without a heartbeat is considered ended */
  constructor(silenceMs: number, now: () => number = () => performance.now()) {
    this.#silenceMs = silenceMs;
    this.#now = now;
  }

  /**
   * Returns `beats` if the file has changed since the first look, `gone` if the file does not exist, `silent`
   * if it has not changed for `silenceMs`, and otherwise `waiting`.
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
