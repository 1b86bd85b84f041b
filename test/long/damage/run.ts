import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { type Recording, recordingsBelow, requestsOf } from "../../../bench/data/real/recordings.ts";
import { runJson } from "../../../src/report/json/run-json.ts";
import { below, type Random } from "../../fuzz/chance.ts";
import { seeded } from "../../fuzz/seeded.ts";
import { replayedRuns } from "../runs/assemble.ts";
import { brief } from "../runs/differences.ts";
import { isFalseClaim, type Miss, scoreByProgram } from "../reader/scorer.ts";
import { asJson } from "../runs/records.ts";
import { type Damage, damaged } from "./damages.ts";

/*
 * npm run damage -- --scorer FILE [--recordings DIR] [--variants N] [--pick N] [--seed N] [--keep DIR]: measures how often a run from
 * damaged telemetry has untrue values. In each variant of a recording, one attribute, event, span or log record is removed, renamed or
 * truncated. A value is a false claim if it is wrong and the damaged telemetry no longer contains the true value.
 * The scorer is a program: `node FILE --recordings DIR --runs RUNS.jsonl --json --misses` prints a `Score` (`reader/scorer.ts`). Exit code
 * 1: more than 1 % of the variants have a false claim.
 */

const mostFalsePercent = 1;

const { values } = parseArgs({
  options: {
    scorer: { type: "string" },
    recordings: { type: "string", multiple: true, default: ["test/fixtures/recordings"] },
    variants: { type: "string", default: "2000" },
    pick: { type: "string", default: "50" },
    seed: { type: "string", default: "1" },
    keep: { type: "string" },
  },
});
const { scorer, recordings: folders } = values;
if (scorer === undefined) {
  console.error(
    "usage: npm run damage -- --scorer FILE [--recordings DIR] [--variants N] [--pick N] [--seed N] [--keep DIR]",
  );
  process.exit(2);
}

/** Larger recordings are left out, because each takes as long as many others. */
const mostBytes = 300_000;

const folder = values.keep ?? mkdtempSync(join(tmpdir(), "damage-"));
try {
  process.exitCode = measure(scorer) ? 0 : 1;
} finally {
  if (values.keep === undefined) rmSync(folder, { recursive: true });
}

function measure(scorerFile: string): boolean {
  const random = seeded(Number(values.seed));
  const picked = pick(recordingsBelow(folders).filter(isShort), Number(values.pick), random);
  const whole = new Map(picked.map((recording) => [recording.name, write(recording, "whole", undefined)]));
  const each = Math.ceil(Number(values.variants) / picked.length);
  const damages = new Map<string, Damage>();
  const lines = [...whole.values()].flat();
  for (const recording of picked) {
    const requests = requestsOf(recording);
    for (let number = 0; number < each;) {
      const damage = damaged(requests, random);
      if (damage === undefined) continue;
      const name = String(number++).padStart(3, "0");
      damages.set(join(recording.name, name), damage);
      lines.push(...write(recording, name, damage));
    }
  }
  const runs = join(folder, "runs.jsonl");
  writeFileSync(runs, lines.join(""));
  return report(scoreByProgram(scorerFile, folder, runs).misses, damages);
}

function isShort({ files }: Recording): boolean {
  return files.length > 0 && files.reduce((sum, file) => sum + readFileSync(file).length, 0) <= mostBytes;
}

function pick(all: readonly Recording[], count: number, random: Random): Recording[] {
  const left = [...all];
  return Array.from({ length: Math.min(count, all.length) }, () =>
    left.splice(below(left.length, random), 1),
  ).flat();
}

/** Writes the damaged recording into the folder; returns its runs as JSON lines. */
function write(recording: Recording, variant: string, damage: Damage | undefined): string[] {
  const requests = damage?.requests ?? requestsOf(recording);
  const name = join(recording.name, variant);
  const target = join(folder, name);
  mkdirSync(target, { recursive: true });
  for (const signal of ["traces", "logs"] as const) {
    const documents = requests
      .filter((one) => one.signal === signal)
      .map(({ document }) => `${JSON.stringify(document)}\n`);
    if (documents.length > 0) writeFileSync(join(target, `${signal}.jsonl`), documents.join(""));
  }
  const truth = join(dirname(recording.files[0] ?? ""), "expected.json");
  writeFileSync(join(target, "expected.json"), readFileSync(truth));
  return replayedRuns(requests.map(asJson)).map(
    (run) => `${JSON.stringify({ recording: name, ...runJson(run, true) })}\n`,
  );
}

function report(misses: readonly Miss[], damages: ReadonlyMap<string, Damage>): boolean {
  const before = new Set(
    misses
      .filter(({ recording }) => basename(recording) === "whole")
      .map((miss) => dirname(miss.recording) + miss.field),
  );
  const news = misses.filter(
    (miss) => damages.has(miss.recording) && !before.has(dirname(miss.recording) + miss.field),
  );
  const claims = news.filter(isFalseClaim);
  const byCause = new Map<string, Miss[]>();
  for (const claim of claims) {
    const cause = `${damages.get(claim.recording)?.kind}: ${claim.field}`;
    byCause.set(cause, [...(byCause.get(cause) ?? []), claim]);
  }
  for (const [cause, all] of [...byCause].sort(([, a], [, b]) => b.length - a.length)) {
    console.log(`${String(all.length).padStart(4)}  ${cause}`);
    for (const { recording, want, got } of all) {
      console.log(
        `        ${recording}: ${damages.get(recording)?.what}\n            truth ${brief(want)}\n            claim ${brief(got)}`,
      );
    }
  }
  const variants = new Set(claims.map(({ recording }) => recording)).size;
  const wrong = new Set(
    news.filter(({ got }) => got !== null && got !== "no run").map(({ recording }) => recording),
  ).size;
  const percent = (100 * variants) / damages.size;
  console.log(
    `${variants} of ${damages.size} variants with a false claim (${percent.toFixed(2)} %, at most ${mostFalsePercent} %), ${claims.length} false claims; ` +
      `${wrong} variants with a wrong value in total`,
  );
  return percent <= mostFalsePercent;
}
