import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Entry } from "../../src/journal/segments/segment.ts";
import { SegmentLog } from "../../src/journal/segments/segment-log.ts";
import { MemoryDisk } from "./memory-disk.ts";

const noMeta = new Uint8Array();
const MIB = 2 ** 20;

async function open(disk: MemoryDisk, { sync = false, segmentBytes = MIB } = {}) {
  const found: string[] = [];
  const salt = (): number => Math.floor(Math.random() * 2 ** 32);
  const options = { disk, sync, budgetBytes: 64 * MIB, segmentBytes, salt };
  const opened = await SegmentLog.open(options, (_entry, _meta, body) => found.push(label(body)));
  return { ...opened, found };
}

/** A body that is told by its first bytes. */
function body(name: string, bytes: number): Buffer {
  const made = Buffer.alloc(bytes, "tjsegmnt");
  made.write(name.padEnd(8));
  return made;
}

function label(bytes: Uint8Array): string {
  return Buffer.from(bytes.subarray(0, 8)).toString().trim();
}

describe("files of the journal that are written over", () => {
  test("a record that a crash cut short is said, and costs no other", async () => {
    const disk = new MemoryDisk();
    const { log } = await open(disk);
    for (let at = 0; at < 12; at++) log.release(await log.append(1, noMeta, body(`${at}`, 300_000)));
    await log.append(1, noMeta, body("kept", 5_000));
    disk.partly = 2_000;
    disk.fault = (call) => {
      if (call === "append" || call === "truncate") throw new Error("made by the test");
    };
    await expect(log.append(1, noMeta, body("torn", 5_000))).rejects.toThrow("made by the test");
    const after = await open(new MemoryDisk(disk.snapshot()));
    expect(after.found.at(-1)).toBe("kept");
    expect(after.repairs.tornTails).toBe(1);
  });

  test("wherever a crash comes: what is needed is there, what went with its file stays gone", async () => {
    const segmentBytes = MIB / 4;
    const steps = fc.array(fc.tuple(fc.integer({ min: 250, max: 175_000 }), fc.nat(3)), {
      minLength: 12,
      maxLength: 24,
    });
    await fc.assert(
      fc.asyncProperty(steps, fc.boolean(), async (some, sync) => {
        const disk = new MemoryDisk();
        const { log } = await open(disk, { sync, segmentBytes });
        const live = new Map<string, Entry>();
        const inFile = new Map<string, string[]>();
        const gone = new Set<string>();
        const moments: { files: Map<string, Buffer>; live: string[]; gone: string[] }[] = [];
        disk.fault = (call, name) => {
          if (call === "append" || call === "sync" || call === "reopen" || call === "rename")
            moments.push({ files: disk.snapshot(), live: [...live.keys()], gone: [...gone] });
          if (call === "rename" || call === "remove") for (const one of inFile.get(name) ?? []) gone.add(one);
        };
        for (const [index, [bytes, releases]] of some.entries()) {
          const entry = await log.append(1, noMeta, body(`${index}`, bytes));
          live.set(`${index}`, entry);
          const { name } = entry.segment;
          inFile.set(name, [...(inFile.get(name) ?? []), `${index}`]);
          for (const [key, oldest] of [...live].slice(0, releases)) {
            live.delete(key);
            log.release(oldest);
          }
          await log.idle();
        }
        for (const moment of moments) {
          const { found, repairs } = await open(new MemoryDisk(moment.files), { segmentBytes });
          expect(found).toEqual(expect.arrayContaining(moment.live));
          expect(moment.gone.filter((key) => found.includes(key))).toEqual([]);
          expect(repairs).toMatchObject({ damagedPlaces: 0, corruptFiles: 0 });
        }
      }),
      { numRuns: 12 },
    );
  });
});

describe("damage in a file that is written over", () => {
  const last = body("last", 2_000);

  /** A log that was killed while it wrote over a file, and where its last record begins. */
  async function killed(): Promise<{ name: string; bytes: Buffer; at: number; disk: MemoryDisk }> {
    const disk = new MemoryDisk();
    const { log } = await open(disk);
    for (let at = 0; at < 13; at++) log.release(await log.append(1, noMeta, body(`${at}`, 300_000)));
    await log.append(1, noMeta, body("kept", 5_000));
    const entry = await log.append(1, noMeta, last);
    const { name } = entry.segment;
    const bytes = disk.snapshot().get(name) ?? Buffer.alloc(0);
    expect(bytes.length).toBeGreaterThan(entry.at + 28 + last.length);
    return { name, bytes, at: entry.at, disk };
  }

  test("of the last record, in its head or its body, is counted as damage and costs that record", async () => {
    const { name, bytes, at, disk } = await killed();
    for (const offset of [0, 5, 9, 13, 20, 25, 27, 28, 500, 2_027]) {
      const flipped = Buffer.from(bytes);
      flipped.writeUInt8(flipped.readUInt8(at + offset) ^ 0x20, at + offset);
      const after = await open(new MemoryDisk(new Map(disk.snapshot()).set(name, flipped)));

      expect([offset, after.found.at(-1)]).toEqual([offset, "kept"]);
      expect([offset, after.repairs]).toMatchObject([offset, { damagedPlaces: 1, tornTails: 0 }]);
    }
  });

  test("of the bytes that were there before is none", async () => {
    const { name, bytes, at, disk } = await killed();
    const flipped = Buffer.from(bytes);
    const behind = at + 28 + last.length + 28;
    flipped.writeUInt8(flipped.readUInt8(behind) ^ 0x20, behind);
    const after = await open(new MemoryDisk(new Map(disk.snapshot()).set(name, flipped)));

    expect(after.found.at(-1)).toBe("last");
    expect(after.repairs).toMatchObject({ damagedPlaces: 0, tornTails: 0 });
  });
});
