import { execFileSync } from "node:child_process";
import { appendFileSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chaos, type ChaosOptions, type ChaosReport } from "../chaos/chaos.ts";
import { provesSync } from "../chaos/sync-proof.ts";

/*
 * npm run chaos [-- KILLS [PART…]]: kills `serve` under load, with a store and a backend that fails and recovers, and counts lost and
 * doubled telemetry. Each part adds another fault; the parts are named below. Parts other than `kill` get a tenth of the kills.
 */

const kills = Number(process.argv[2] ?? 200);
const wanted = process.argv.slice(3);
const few = Math.max(2, Math.round(kills / 10));
const { random } = Math;

const parts: Readonly<Record<string, () => Promise<object>>> = {
  kill: () => kill({ kills, forwards: "flapping", padding: 2000 }),
  "fsync and kill": () => kill({ kills: few, durability: "fsync", padding: 2000 }),
  "failing disk": () => kill({ kills: few, faults: ["ENOSPC", "EROFS", "EIO"], padding: 2000 }),
  "torn segment": () => kill({ kills: few, meanwhile: tear }),
  "jumping clock": () => kill({ kills: few, clockJumps: true }),
  "small budget": () => kill({ kills: few, budget: "1MiB", padding: 20_000 }),
  "sending on": () => kill({ kills: few, forwards: "fickle", padding: 2000 }),
  "full disk": fullDisk,
  "no answer before its sync": () => provesSync(40),
};

let failed = false;
for (const [name, run] of Object.entries(parts)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const begun = performance.now();
  const figures = await run();
  console.log(
    JSON.stringify({ part: name, seconds: Math.round((performance.now() - begun) / 1000), ...figures }),
  );
}
process.exitCode = failed ? 1 : 0;

async function kill(options: Omit<ChaosOptions, "random">): Promise<object> {
  const onLife = (life: number): void => void process.stderr.write(`\rkilled ${life} of ${options.kills} `);
  const report = await chaos({ ...options, random, onLife });
  process.stderr.write("\n");
  return judged(report);
}

function judged({ log, missing, wrong, doubled, ...figures }: ChaosReport): object {
  const bad =
    missing.length +
    wrong.length +
    doubled.length +
    figures.crashes +
    figures.unsent +
    Math.abs(figures.unstored);
  if (bad > 0) {
    failed = true;
    console.log(log);
  }
  return { lost: missing.length, incomplete: wrong.length, doubled: doubled.length, ...figures };
}

/** Appends bytes that look like the start of a record to the last segment. */
function tear(journal: string): void {
  const last = readdirSync(journal)
    .filter((name) => name.endsWith(".segment"))
    .sort()
    .at(-1);
  const torn = Buffer.from(
    Array.from({ length: Math.floor(random() * 60) }, () => Math.floor(random() * 256)),
  );
  if (last !== undefined) appendFileSync(join(journal, last), torn);
}

/** Fills a separate disk and frees it again. Without the filler, the journal and the store fit on it. Needs permission to mount a disk. */
async function fullDisk(): Promise<object> {
  const folder = mkdtempSync(join(tmpdir(), "tracejury-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=64m", "tmpfs", folder], { stdio: "ignore" });
  } catch {
    rmSync(folder, { recursive: true });
    return { skipped: "no permission to mount a disk" };
  }
  try {
    const filler = join(folder, "filler");
    const during = (): (() => void) => {
      const timers = [
        setTimeout(() => fill(folder, filler), random() * 500),
        setTimeout(() => rmSync(filler, { force: true }), 500 + random() * 500),
      ];
      return () => {
        for (const timer of timers) clearTimeout(timer);
        rmSync(filler, { force: true });
      };
    };
    return await kill({ kills: few, dataDir: folder, during, longestLifeMs: 2000, padding: 20_000 });
  } finally {
    execFileSync("umount", [folder]);
    rmSync(folder, { recursive: true });
  }
}

function fill(folder: string, filler: string): void {
  const { bavail, bsize } = statfsSync(folder);
  try {
    writeFileSync(filler, Buffer.alloc(bavail * bsize));
  } catch {
    // the disk is full
  }
}
