import { type FileHandle, open, readdir, readFile, rename, rm, truncate } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder } from "../../support/process/make-folder.ts";
import type { Disk, DiskFile } from "./disk.ts";

/** Returns a folder of the file system that only the current user can access. */
export function nodeDisk(folder: string): Disk {
  const path = (name: string): string => join(folder, name);
  return {
    async list() {
      await makeFolder(folder, 0o700);
      return readdir(folder);
    },
    create: async (name) => new NodeFile(await open(path(name), "wx", 0o600)),
    reopen: async (name) => new NodeFile(await open(path(name), "r+")),
    read: (name) => readFile(path(name)),
    async readAt(name, at, bytes) {
      const file = await open(path(name), "r");
      try {
        return await readExactly(file, at, bytes, name);
      } finally {
        await file.close();
      }
    },
    truncate: (name, bytes) => truncate(path(name), bytes),
    rename: (name, to) => rename(path(name), path(to)),
    remove: (name) => rm(path(name), { force: true }),
    async syncFolder() {
      const handle = await open(folder, "r");
      try {
        await handle.sync();
      } finally {
        await handle.close();
      }
    },
  };
}

class NodeFile implements DiskFile {
  readonly #file: FileHandle;
  #at = 0;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  async append(parts: readonly Uint8Array[], mark?: Uint8Array): Promise<void> {
    let left = mark === undefined ? parts : [...parts, mark];
    while (left.length > 0) {
      const { bytesWritten } = await this.#file.writev([...left], this.#at);
      this.#at += bytesWritten;
      left = withoutFirst(left, bytesWritten);
    }
    this.#at -= mark?.length ?? 0;
  }

  sync(): Promise<void> {
    return this.#file.datasync();
  }

  async truncate(bytes: number): Promise<void> {
    await this.#file.truncate(bytes);
    this.#at = bytes;
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

/** Returns the parts without their first `bytes` bytes, because a partial write has already written these. */
function withoutFirst(parts: readonly Uint8Array[], bytes: number): Uint8Array[] {
  const left: Uint8Array[] = [];
  let skip = bytes;
  for (const part of parts) {
    if (skip >= part.length) skip -= part.length;
    else {
      left.push(part.subarray(skip));
      skip = 0;
    }
  }
  return left;
}

async function readExactly(file: FileHandle, at: number, bytes: number, name: string): Promise<Uint8Array> {
  const into = new Uint8Array(bytes);
  let filled = 0;
  while (filled < bytes) {
    const { bytesRead } = await file.read(into, filled, bytes - filled, at + filled);
    if (bytesRead === 0) throw new Error(`the file ${name} is truncated: it ends before byte ${at + bytes}`);
    filled += bytesRead;
  }
  return into;
}
