import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { replaceDatabase } from "../../src/store/sqlite/open-database.ts";
import type { SqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import type { JudgedRecord } from "../../src/store/read/stored.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { sqliteStore } from "./sqlite-of-test.ts";
import { now, record } from "./stored-records.ts";

/** What became of a store with flipped bits in its files. */
export interface FlippedStores {
  /** The files were put aside, and a new store was begun. */
  putAside: number;
  /** Reads that failed: what, and how. */
  readonly failedReads: string[];
  /** Flips after which a new run could not be stored and read. */
  readonly notServing: string[];
}

const RUNS = 40;
const HEADER_BYTES = 100;
/** `-wal` holds what the last checkpoint has not taken over. */
const suffixes = ["", "-wal"] as const;

export function storedRun(run: number): JudgedRecord {
  const unjudged = [{ spec: "t", reason: "unmatched" as const, candidates: ["a"] }];
  return { ...record({ run, bytes: new Uint8Array(300) }), unjudged };
}

/** Flips one bit at a time in copies of a store, opens each, reads everything, and stores and reads a new run. */
export async function flipStores(flips: number, random: () => number): Promise<FlippedStores> {
  const folder = temporaryFolder();
  const found: FlippedStores = { putAside: 0, failedReads: [], notServing: [] };
  const bases = [makeStore(folder, "checkpointed"), makeStore(folder, "in the log")];
  for (let flip = 0; flip < flips; flip++) {
    const copy = join(folder, `${flip}`, "store.db");
    const where = flipOne(bases[flip % bases.length] ?? "", copy, random);
    found.putAside += await use(copy, where, found);
  }
  return found;
}

function makeStore(folder: string, kind: "checkpointed" | "in the log"): string {
  const path = join(folder, kind, "store.db");
  const store = openStore(path);
  for (let run = 1; run <= RUNS; run++) store.add(storedRun(run));
  store.flush();
  if (kind === "checkpointed") {
    void store.close();
    return path;
  }
  const copy = join(folder, "copied", "store.db");
  mkdirSync(join(copy, ".."));
  for (const suffix of suffixes) copyFileSync(path + suffix, copy + suffix);
  void store.close();
  return copy;
}

function openStore(path: string): SqliteStore {
  return sqliteStore(path, { replace: (damage) => replaceDatabase(path, damage, now).database });
}

/** One flip of four hits the header, and every other one makes a byte that is not ASCII. */
function flipOne(base: string, to: string, random: () => number): string {
  mkdirSync(join(to, ".."));
  const files = suffixes.filter((suffix) => sizeOf(base + suffix) > 0);
  const hit = files[Math.floor(random() * files.length)] ?? "";
  let where = "";
  for (const suffix of files) {
    const bytes = readFileSync(base + suffix);
    if (suffix === hit) {
      const at = Math.floor(random() * (random() < 0.75 ? bytes.length : HEADER_BYTES));
      const bit = random() < 0.5 ? 7 : Math.floor(random() * 8);
      bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << bit), at);
      where = `bit ${bit} of byte ${at} of store.db${suffix}`;
    }
    writeFileSync(to + suffix, bytes);
  }
  return where;
}

function sizeOf(path: string): number {
  return existsSync(path) ? statSync(path).size : 0;
}

/** 1 when the store was put aside. */
async function use(path: string, where: string, found: FlippedStores): Promise<number> {
  try {
    const store = openStore(path);
    await readAll(store, where, found);
    store.add(storedRun(RUNS + 1));
    store.flush();
    store.retainNow();
    const verdict = await store.verdict(`v${RUNS + 1}`, null);
    if (verdict === undefined) found.notServing.push(`${where}: the new verdict is not there`);
    await store.close();
  } catch (error) {
    found.notServing.push(`${where}: ${String(error)}`);
  }
  return readdirSync(join(path, "..")).some((name) => name.includes("damaged")) ? 1 : 0;
}

async function readAll(store: SqliteStore, where: string, { failedReads }: FlippedStores): Promise<void> {
  const window = { since: 0, until: now * 2 };
  const reads = {
    verdicts: () => store.verdicts({}, 100, null),
    found: () => store.verdicts({ text: "where" }, 100, null),
    runs: () => store.runs({}, 100, null),
    run: () => store.run(storedRun(3).run.runId),
    telemetry: () => store.telemetry(storedRun(3).run.runId),
    sums: () => store.sums(window, null),
    samples: () => store.samples({ spec: "s", ...window }, 100),
    unjudged: () => store.unjudged(100, null),
    annotations: () => store.annotations({}),
    status: () => store.status(),
  };
  for (const [name, read] of Object.entries(reads)) {
    await (read as () => Promise<unknown>)().catch((error: unknown) => {
      failedReads.push(`${name} after ${where}: ${String(error)}`);
    });
  }
}
