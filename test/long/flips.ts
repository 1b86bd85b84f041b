import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { seeded } from "../fuzz/seeded.ts";
import { flipFiles } from "../journal/flipped-files.ts";
import { flipStores } from "../store/damaged-store.ts";

/*
 * npm run flips [-- FLIPS [SEED]]: flips single bits at random places of a store, a journal and the queues, opens each, and counts the
 * outcomes. Each 100 flips run in a new process, so that a crash is counted and does not end the rest.
 */

const AT_ONCE = 100;
const [flips, seed, part] = [
  Number(process.argv[2] ?? 1000),
  Number(process.argv[3] ?? Date.now()),
  process.argv[4],
];

if (part === undefined) {
  process.exitCode = all() ? 0 : 1;
} else {
  const random = seeded(seed);
  const found = part === "store" ? await flipStores(flips, random) : await flipFiles(flips, random);
  console.log(JSON.stringify(found));
}

interface Found {
  readonly flips: number;
  readonly putAside?: number;
  readonly costly?: number;
  readonly reported?: number;
  readonly failedReads?: readonly string[];
  readonly notServing?: readonly string[];
  readonly wrong?: readonly string[];
}

/** Whether all flips were handled. */
function all(): boolean {
  let isGood = true;
  for (const name of ["store", "journal and queues"]) {
    const sums = { putAside: 0, costly: 0, reported: 0 };
    const faults: string[] = [];
    let ended = 0;
    for (let done = 0; done < flips; done += AT_ONCE) {
      const found = batch(name, Math.min(AT_ONCE, flips - done), seed + done);
      if (found === null) ended++;
      sums.putAside += found?.putAside ?? 0;
      sums.costly += found?.costly ?? 0;
      sums.reported += found?.reported ?? 0;
      faults.push(...(found?.failedReads ?? []), ...(found?.notServing ?? []), ...(found?.wrong ?? []));
    }
    for (const fault of faults) console.log(fault);
    console.log(
      JSON.stringify({ part: name, flips, seed, endedProcesses: ended, faults: faults.length, ...sums }),
    );
    if (ended + faults.length > 0) isGood = false;
  }
  return isGood;
}

/** Null if the process crashed. */
function batch(name: string, count: number, from: number): Found | null {
  const words = [fileURLToPath(import.meta.url), String(count), String(from), name];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: "utf8" });
  if (status === 0) return JSON.parse(stdout) as Found;
  console.log(stderr.slice(-2000));
  return null;
}
