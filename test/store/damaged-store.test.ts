import { existsSync, mkdtempSync, openSync, readdirSync, rmSync, statSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { openDatabase, replaceDatabase } from "../../src/store/open-database.ts";
import { SqliteStore } from "../../src/store/sqlite-store.ts";
import { seeded } from "../fuzz/seeded.ts";
import { flipStores, storedRun } from "./damaged-store.ts";

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "tracejury-damage-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

describe("a store with damaged bytes", () => {
  test("ends no process and stops no serving, wherever a bit is flipped", async () => {
    const found = await flipStores(80, seeded(24));

    expect(found.notServing).toEqual([]);
    expect(found.failedReads).toEqual([]);
    expect(found.putAside).toBeGreaterThan(0);
    expect(found.putAside).toBeLessThan(80);
  }, 60_000);

  test("damage that shows while it is used: the store is put aside, what is written is kept in a new one", async () => {
    const path = join(folder(), "store.db");
    const damage: string[] = [];
    const store = new SqliteStore({
      database: openDatabase(path, 1).database,
      retention: { maxAgeMs: 1e15, maxBytes: 1e15 },
      onError: () => undefined,
      replace: (error) => {
        damage.push(error.message);
        return replaceDatabase(path, error, 1).database;
      },
    });
    onTestFinished(() => store.close());
    for (let run = 1; run <= 40; run++) store.add(storedRun(run));
    store.flush();
    const file = openSync(`${path}-wal`, "r+");
    writeSync(file, new Uint8Array(statSync(`${path}-wal`).size).fill(0x55));
    const main = openSync(path, "r+");
    writeSync(main, new Uint8Array(statSync(path).size).fill(0x55));
    const fresh = new SqliteStore({
      database: openDatabase(path, 2).database,
      retention: { maxAgeMs: 1e15, maxBytes: 1e15 },
      onError: () => undefined,
    });
    onTestFinished(() => fresh.close());
    fresh.add(storedRun(41));
    fresh.flush();

    expect((await fresh.verdicts({}, 10, null))?.verdicts.map(({ verdictId }) => verdictId)).toEqual(["v41"]);
    expect(existsSync(path)).toBe(true);
    expect(readdirSync(join(path, "..")).some((name) => name.startsWith("store.db.damaged-"))).toBe(true);
  });
});
