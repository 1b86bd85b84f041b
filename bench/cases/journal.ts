import { mkdtempSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openJournal } from "../../src/journal/journal.ts";
import { bodiesOf } from "../data/bodies.ts";
import type { Case, Settings } from "../harness/case.ts";
import { ratios } from "../harness/paired.ts";
import { conclude, type Result } from "../harness/result.ts";

/** Requests that wait for the journal at one time, as many as senders send at once. */
const AT_ONCE = 8;

/** Requests written to the journal, against nothing but writing their bytes to a file. */
export const journal: Case = {
  name: "journal",
  figures: (["flush", "fsync"] as const).map((durability) => ({
    names: [`journal.${durability}`],
    rows: ["G14"],
    measure: (settings) => measured(durability, settings),
  })),
};

async function measured(durability: "flush" | "fsync", settings: Settings): Promise<Result[]> {
  const { protobuf } = bodiesOf("genai", 32);
  const folder = mkdtempSync(join(tmpdir(), "tracejury-bench-"));
  const bare = await open(join(folder, "bare"), "w");
  const kept = await openJournal({ dir: join(folder, "journal"), durability, budgetBytes: 2 ** 30 });
  const meta = { signal: "traces", encoding: "protobuf", receivedUnixMs: 1_763_700_000_000 } as const;
  const own = async (): Promise<void> => {
    for (let from = 0; from < protobuf.length; from += AT_ONCE) {
      const group = protobuf.slice(from, from + AT_ONCE);
      // Each a body that has not been seen before: nothing is remembered of it.
      const bodies = group.map((body) => body.subarray());
      for (const position of await Promise.all(bodies.map((body) => kept.append(body, meta))))
        kept.release(position);
    }
  };
  const other = async (): Promise<void> => {
    for (let from = 0; from < protobuf.length; from += AT_ONCE) {
      await bare.writev(protobuf.slice(from, from + AT_ONCE));
      if (durability === "fsync") await bare.datasync();
    }
    await bare.truncate(0);
  };
  try {
    const what = `CPU of ${durability === "fsync" ? "synced " : ""}journal writes / writing the bytes alone`;
    const told = { name: `journal.${durability}`, row: "G14", what, goal: { atMost: 1.6 } };
    return [conclude(told, await ratios(own, other, settings))];
  } finally {
    await kept.close();
    await bare.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
