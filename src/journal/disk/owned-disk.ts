import type { Disk, DiskFile } from "./disk.ts";
import type { Lock } from "./lock.ts";

/**
 * Returns a folder that can be changed only while this process has the lock. So a process that has lost the lock cannot delete files of the
 * new owner. An append checks the lock only if the last check is more than two heartbeats ago.
 */
export function ownedDisk(disk: Disk, lock: Pick<Lock, "confirm">): Disk {
  const own = async <Result>(change: () => Promise<Result>): Promise<Result> => {
    await lock.confirm(true);
    return change();
  };
  return {
    ...disk,
    create: (name) => own(async () => ownedFile(await disk.create(name), lock)),
    reopen: (name) => own(async () => ownedFile(await disk.reopen(name), lock)),
    truncate: (name, bytes) => own(() => disk.truncate(name, bytes)),
    rename: (name, to) => own(() => disk.rename(name, to)),
    remove: (name) => own(() => disk.remove(name)),
  };
}

function ownedFile(file: DiskFile, lock: Pick<Lock, "confirm">): DiskFile {
  return {
    async append(parts, mark) {
      await lock.confirm(false);
      await file.append(parts, mark);
    },
    sync: () => file.sync(),
    async truncate(bytes) {
      await lock.confirm(true);
      await file.truncate(bytes);
    },
    close: () => file.close(),
  };
}
