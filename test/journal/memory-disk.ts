import type { Disk, DiskFile } from "../../src/journal/disk/disk.ts";

export type Call =
  "list" | "create" | "reopen" | "append" | "sync" | "read" | "truncate" | "rename" | "remove";

interface Stored {
  bytes: Buffer;
  /** How much of it would survive a loss of power. */
  syncedBytes: number;
}

/** A disk that counts its calls, fails on request, and can lose its power at any byte. */
export class MemoryDisk implements Disk {
  readonly files: Map<string, Stored>;
  readonly calls: Call[] = [];
  /** Throws what a call should fail with. An append that fails leaves the first `partly` bytes behind. */
  fault: (call: Call, name: string) => void = () => undefined;
  partly = 0;

  constructor(files: ReadonlyMap<string, Buffer> = new Map()) {
    this.files = new Map(
      [...files].map(([name, bytes]) => [name, { bytes: Buffer.from(bytes), syncedBytes: bytes.length }]),
    );
  }

  count(call: Call): number {
    return this.calls.filter((one) => one === call).length;
  }

  /** What is on the disk now. */
  snapshot(): Map<string, Buffer> {
    return new Map([...this.files].map(([name, { bytes }]) => [name, Buffer.from(bytes)]));
  }

  /** What a loss of power leaves at least: only what was synced. */
  syncedSnapshot(): Map<string, Buffer> {
    return new Map(
      [...this.files].map(([name, { bytes, syncedBytes }]) => [
        name,
        Buffer.from(bytes.subarray(0, syncedBytes)),
      ]),
    );
  }

  async list(): Promise<string[]> {
    this.#call("list", "");
    return [...this.files.keys()];
  }

  async create(name: string): Promise<DiskFile> {
    this.#call("create", name);
    if (this.files.has(name)) throw failure("EEXIST");
    const stored: Stored = { bytes: Buffer.alloc(0), syncedBytes: 0 };
    this.files.set(name, stored);
    return this.#fileOf(stored, name);
  }

  async reopen(name: string): Promise<DiskFile> {
    this.#call("reopen", name);
    return this.#fileOf(this.#stored(name), name);
  }

  #fileOf(stored: Stored, name: string): DiskFile {
    let end = 0;
    const write = (bytes: Buffer): void => {
      const behind = stored.bytes.subarray(end + bytes.length);
      stored.bytes = Buffer.concat([stored.bytes.subarray(0, end), bytes, behind]);
      end += bytes.length;
    };
    return {
      append: async (parts, mark = new Uint8Array()) => {
        const added = Buffer.concat([...parts, mark]);
        try {
          this.#call("append", name);
        } catch (error) {
          write(added.subarray(0, this.partly));
          throw error;
        }
        write(added);
        end -= mark.length;
      },
      sync: async () => {
        this.#call("sync", name);
        stored.syncedBytes = stored.bytes.length;
      },
      truncate: async (bytes) => {
        this.#call("truncate", name);
        stored.bytes = stored.bytes.subarray(0, bytes);
        end = bytes;
      },
      close: async () => undefined,
    };
  }

  async read(name: string): Promise<Uint8Array> {
    this.#call("read", name);
    return this.#stored(name).bytes;
  }

  async readAt(name: string, at: number, bytes: number): Promise<Uint8Array> {
    this.#call("read", name);
    return this.#stored(name).bytes.subarray(at, at + bytes);
  }

  async truncate(name: string, bytes: number): Promise<void> {
    this.#call("truncate", name);
    const stored = this.#stored(name);
    stored.bytes = stored.bytes.subarray(0, bytes);
  }

  async rename(name: string, to: string): Promise<void> {
    this.#call("rename", name);
    this.files.set(to, this.#stored(name));
    this.files.delete(name);
  }

  async remove(name: string): Promise<void> {
    this.#call("remove", name);
    this.files.delete(name);
  }

  async syncFolder(): Promise<void> {
    this.#call("sync", "");
  }

  #call(call: Call, name: string): void {
    this.calls.push(call);
    this.fault(call, name);
  }

  #stored(name: string): Stored {
    const stored = this.files.get(name);
    if (stored === undefined) throw failure("ENOENT");
    return stored;
  }
}

/** An error as the system gives it. */
export function failure(code: string): Error {
  return Object.assign(new Error(`${code}: made by the test`), { code });
}
