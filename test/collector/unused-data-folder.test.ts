import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { removeUnusedDataFolder } from "../../src/collector/unused-data-folder.ts";
import { acquireLock } from "../../src/journal/disk/lock.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

test.each(["journal", "journal-2", "export"])(
  "a data folder stays while another collector has the lock of %s, and is removed afterwards",
  async (name) => {
    const folder = join(temporaryFolder(), "data");
    const lock = await acquireLock(join(folder, name));
    writeFileSync(join(folder, "store.db"), "");

    removeUnusedDataFolder(folder);
    expect(existsSync(join(folder, "store.db"))).toBe(true);
    expect(existsSync(join(folder, name, "lock"))).toBe(true);

    await lock.release();
    removeUnusedDataFolder(folder);
    expect(existsSync(folder)).toBe(false);
  },
);
