import { closeSync, openSync, readdirSync, statSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openDatabase, replaceDatabase } from "../../src/store/sqlite/open-database.ts";
import { textsIn } from "../../src/store/write/row-values.ts";
import { seeded } from "../fuzz/seeded.ts";
import { sqliteStore } from "./sqlite-of-test.ts";
import { flipStores, storedRun } from "./damaged-store.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

describe("a store with damaged bytes", () => {
  test("a flipped bit, wherever it is, ends no process and stops no serving", async () => {
    const found = await flipStores(80, seeded(24));

    expect(found.notServing).toEqual([]);
    expect(found.failedReads).toEqual([]);
    expect(found.putAside).toBeGreaterThan(0);
    expect(found.putAside).toBeLessThan(80);
  });

  test("damage that shows while it is used: the store is put aside, what is written is kept in a new one", async () => {
    const path = join(temporaryFolder(), "store.db");
    const damage: string[] = [];
    const { database } = openDatabase(path, 1);
    const store = sqliteStore(path, {
      database,
      replace: (error) => {
        damage.push(error.message);
        return replaceDatabase(path, error, 1).database;
      },
    });
    for (let run = 1; run <= 40; run++) store.add(storedRun(run));
    store.flush();
    database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    const file = openSync(path, "r+");
    writeSync(file, new Uint8Array(statSync(path).size - 4096).fill(0x55), 0, null, 4096);
    closeSync(file);
    database.exec("PRAGMA shrink_memory"); // pages are read from the disk again

    expect((await store.verdicts({}, 10, null))?.verdicts).toEqual([]);
    expect(damage).toEqual([expect.stringMatching(/malformed/)]);
    expect(readdirSync(join(path, ".."))).toContain("store.db.damaged-1");
    store.add(storedRun(41));
    store.flush();
    expect((await store.verdicts({}, 10, null))?.verdicts.map(({ verdictId }) => verdictId)).toEqual(["v41"]);
  });
});

test("a folder that cannot be written: the error names the settings", () => {
  const file = join(temporaryFolder(), "file");
  writeFileSync(file, "");
  expect(() => openDatabase(join(file, "store.db"), 1)).toThrow(
    /cannot open the store .*; set data_dir or store\.path to /,
  );
});

test("a damaged column of texts is empty", () => {
  expect(['["a', "7"].map(textsIn)).toEqual([[], []]);
});
