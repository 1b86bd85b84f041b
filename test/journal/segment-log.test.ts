import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { JournalFull, JournalUnwritable, RecordDamaged } from "../../src/journal/disk/errors.ts";
import { noRepairs, type Repairs } from "../../src/journal/segments/repairs.ts";
import type { Entry } from "../../src/journal/segments/segment.ts";
import { HEADER_BYTES } from "../../src/journal/segments/segment-format.ts";
import { SegmentLog, type SegmentLogOptions } from "../../src/journal/segments/segment-log.ts";
import { failure, MemoryDisk } from "./memory-disk.ts";

const noMeta = new Uint8Array();

interface Opened {
  readonly log: SegmentLog;
  readonly texts: string[];
  readonly entries: readonly Entry[];
  readonly repairs: Repairs;
}

async function open(disk: MemoryDisk, options: Partial<SegmentLogOptions> = {}): Promise<Opened> {
  const texts: string[] = [];
  let salt = 1;
  const opened = await SegmentLog.open(
    {
      disk,
      sync: false,
      budgetBytes: 2 ** 20,
      segmentBytes: 300,
      salt: () => (salt += 0x1234567),
      ...options,
    },
    (_entry, _meta, body) => texts.push(Buffer.from(body).toString()),
  );
  return { ...opened, texts };
}

const append = (log: SegmentLog, text: string): Promise<Entry> => log.append(1, noMeta, Buffer.from(text));

/** With one bit of the byte at this place flipped. */
function flip(bytes: Buffer, at: number): Buffer {
  const flipped = Buffer.from(bytes);
  flipped.writeUInt8(flipped.readUInt8(at) ^ 0x10, at);
  return flipped;
}

/** Every file of the disk, cut to the first `bytes` bytes that were written, in the order of the segments. */
function cutAt(files: ReadonlyMap<string, Buffer>, bytes: number): Map<string, Buffer> {
  let left = bytes;
  return new Map(
    [...files].map(([name, content]) => {
      const kept = content.subarray(0, Math.max(0, left));
      left -= content.length;
      return [name, kept];
    }),
  );
}

test("a log of records: with sync, what was acknowledged survives a loss of power; without, it is not synced at all", async () => {
  const disk = new MemoryDisk();
  const { log } = await open(disk, { sync: true });
  for (let index = 0; index < 20; index++) {
    await append(log, `record ${index}`);
    expect((await open(new MemoryDisk(disk.syncedSnapshot()))).texts).toHaveLength(index + 1);
  }
  const lazy = new MemoryDisk();
  await append((await open(lazy)).log, "record");

  expect(lazy.count("sync")).toBe(0);
});

function onlyFile(disk: MemoryDisk): [name: string, bytes: Buffer] {
  return [...disk.snapshot()][0] ?? ["", Buffer.alloc(0)];
}

describe("A09 after a crash", () => {
  const fourRecords = async () => {
    const disk = new MemoryDisk();
    const { log } = await open(disk, { segmentBytes: 2 ** 16 });
    const texts = ["one", "two", "three", "four"];
    for (const text of texts) await append(log, text);
    const [name, bytes] = onlyFile(disk);
    return { texts, name, bytes };
  };

  test("at any byte, exactly a prefix is there that has every acknowledged record", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.string({ maxLength: 200 }), fc.boolean()), { minLength: 1, maxLength: 30 }),
        fc.nat(),
        fc.uint8Array({ maxLength: 40 }),
        async (records, at, garbage) => {
          const disk = new MemoryDisk();
          const { log } = await open(disk);
          const wanted: string[] = [];
          const acknowledged: [bytes: number, count: number][] = [[0, 0]];
          let pending: Promise<Entry>[] = [];
          for (const [text, together] of records) {
            pending.push(append(log, text));
            wanted.push(text);
            if (together) continue;
            await Promise.all(pending);
            pending = [];
            acknowledged.push([log.usedBytes, wanted.length]);
          }
          await Promise.all(pending);
          const files = disk.snapshot();
          const size = [...files.values()].reduce((sum, { length }) => sum + length, 0);
          const crashAt = at % (size + 1);
          const cut = cutAt(files, crashAt);
          const last = [...cut].findLast(([, bytes]) => bytes.length > 0)?.[0];
          if (last !== undefined) cut.set(last, Buffer.concat([cut.get(last) ?? Buffer.alloc(0), garbage]));
          const { texts } = await open(new MemoryDisk(cut));
          const promised = acknowledged.findLast(([bytes]) => bytes <= crashAt)?.[1] ?? 0;

          expect(texts).toEqual(wanted.slice(0, texts.length));
          expect(texts.length).toBeGreaterThanOrEqual(promised);
        },
      ),
      { numRuns: 150 },
    );
  });

  test("a torn tail is cut off, said, and the log goes on", async () => {
    const disk = new MemoryDisk();
    const { log } = await open(disk, { segmentBytes: 2 ** 16 });
    await append(log, "kept");
    await append(log, "torn");
    const [name, bytes] = onlyFile(disk);
    const crashed = new MemoryDisk(new Map([[name, bytes.subarray(0, -1)]]));
    const { log: next, texts, repairs } = await open(crashed);
    await append(next, "new");

    expect(texts).toEqual(["kept"]);
    expect(repairs).toEqual({ ...noRepairs(), tornTails: 1 });
    expect((await open(crashed)).texts).toEqual(["kept", "new"]);
    expect((await open(crashed)).repairs.tornTails).toBe(0);
  });

  test("a flipped bit costs the record it is in and no other", async () => {
    const { texts, name, bytes } = await fourRecords();
    for (let at = HEADER_BYTES; at < bytes.length; at++) {
      const { texts: found, repairs } = await open(new MemoryDisk(new Map([[name, flip(bytes, at)]])));

      expect(found).toHaveLength(3);
      expect(texts).toEqual(expect.arrayContaining(found));
      expect(repairs).toMatchObject({ tornTails: 0, damagedPlaces: 1 });
    }
  });

  test("a flipped bit of the header, or of its copy, costs nothing and is counted", async () => {
    const { texts, name, bytes } = await fourRecords();
    for (let at = 0; at < HEADER_BYTES; at++) {
      const spoilt = new MemoryDisk(new Map([[name, flip(bytes, at)]]));
      const { texts: found, repairs } = await open(spoilt);

      expect(found).toEqual(texts);
      expect(repairs.damagedHeaders + repairs.damagedPlaces).toBe(1);
      expect(spoilt.snapshot().get(name)).toHaveLength(bytes.length);
    }
  });

  test("a file in which no record can be read is put aside whole, not cut", async () => {
    const disk = new MemoryDisk();
    const { log } = await open(disk, { segmentBytes: 2 ** 16 });
    await append(log, "only");
    const [name, bytes] = onlyFile(disk);
    const spoilt = new MemoryDisk(new Map([[name, flip(bytes, bytes.length - 1)]]));
    const { texts, repairs } = await open(spoilt);

    expect(texts).toEqual([]);
    expect(repairs).toMatchObject({ corruptFiles: 1, tornTails: 0 });
    expect(spoilt.snapshot().get(`${name}.corrupt`)).toHaveLength(bytes.length);
  });

  test("a record that is damaged while the log is open is not given out as good, and is reported once", async () => {
    const disk = new MemoryDisk();
    const found: Repairs[] = [];
    const { log } = await open(disk, { segmentBytes: 200, onDamage: (repairs) => found.push(repairs) });
    const entries = [await append(log, "x".repeat(60)), await append(log, "y".repeat(60))];
    const [damaged, good] = entries as [Entry, Entry];
    const stored = disk.files.get(damaged.segment.name);
    stored?.bytes.writeUInt8(0, damaged.at + 40);

    await expect(log.read(damaged)).rejects.toBeInstanceOf(RecordDamaged);
    await expect(log.read(damaged)).rejects.toBeInstanceOf(RecordDamaged);
    expect(Buffer.from((await log.read(good)).body).toString()).toBe("y".repeat(60));
    expect(found).toEqual([{ ...noRepairs(), damagedPlaces: 1, damagedBytes: 88 }]);
    await log.moveOldest();
    expect(damaged.isLive).toBe(false);
  });

  test("a changed byte in a large record costs that record and no other", async () => {
    const disk = new MemoryDisk();
    const large = { segmentBytes: 2 ** 20, budgetBytes: 2 ** 24 };
    const { log } = await open(disk, large);
    const texts = ["a", "b", "c"].map((letter) => letter.repeat(100_000));
    const entries = await Promise.all(texts.map((text) => append(log, text)));
    await log.close();
    const [name, content] = onlyFile(disk);
    content.fill("x", (entries[1]?.at ?? 0) + 60_000, (entries[1]?.at ?? 0) + 60_001);
    const again = await open(new MemoryDisk(new Map([[name, content]])), large);
    expect(again.texts.map((text) => text[0])).toEqual(["a", "c"]);
    expect(again.repairs).toMatchObject({ damagedPlaces: 1 });
  });

  test("a body that contains records of its own cannot smuggle them in", async () => {
    const inner = new MemoryDisk();
    const { log: innerLog } = await open(inner, { salt: () => 42 });
    await append(innerLog, "forged");
    const forged = Buffer.concat([...inner.snapshot().values()]);
    const disk = new MemoryDisk();
    const { log } = await open(disk, { segmentBytes: 2 ** 16 });
    await log.append(1, noMeta, forged);
    await append(log, "good");
    const [name, bytes] = onlyFile(disk);
    const { texts } = await open(new MemoryDisk(new Map([[name, flip(bytes, HEADER_BYTES + 6)]])));

    expect(texts).toEqual(["good"]);
  });
});

describe("A09 when the disk fails", () => {
  test.each([
    ["ENOSPC", JournalFull],
    ["EDQUOT", JournalFull],
    ["EROFS", JournalUnwritable],
    ["EIO", JournalUnwritable],
  ])("%s is refused as what it is, and appends work again when it is over", async (code, kind) => {
    const disk = new MemoryDisk();
    const { log } = await open(disk);
    await append(log, "before");
    disk.partly = 20;
    disk.fault = (call) => {
      if (call === "append" || call === "create") throw failure(code);
    };
    await expect(append(log, "during")).rejects.toBeInstanceOf(kind);
    await expect(append(log, "during, too")).rejects.toBeInstanceOf(kind);
    disk.fault = () => undefined;
    await append(log, "after");

    expect((await open(disk)).texts).toEqual(["before", "after"]);
  });

  test("a half-written record that cannot be cut off does not spoil what comes after it", async () => {
    const disk = new MemoryDisk();
    const { log } = await open(disk, { segmentBytes: 2 ** 16 });
    await append(log, "before");
    disk.partly = 29;
    disk.fault = (call) => {
      if (call === "append" || call === "truncate") throw failure("EIO");
    };
    await expect(append(log, "during")).rejects.toThrow(JournalUnwritable);
    disk.fault = () => undefined;
    await append(log, "after");

    expect((await open(disk)).texts).toEqual(["before", "after"]);
  });

  test("after a failed sync nothing more goes into that file", async () => {
    const disk = new MemoryDisk();
    const { log } = await open(disk, { sync: true, segmentBytes: 2 ** 16 });
    await append(log, "before");
    disk.fault = (call, name) => {
      if (call === "sync" && name !== "") throw failure("EIO");
    };
    await expect(append(log, "during")).rejects.toThrow(JournalUnwritable);
    disk.fault = () => undefined;
    await append(log, "after");

    expect(disk.files.size).toBe(2);
    expect((await open(disk)).texts).toEqual(["before", "after"]);
  });
});

describe("room", () => {
  test("appends beyond the budget are refused until something is released; notes may use the last bit", async () => {
    const disk = new MemoryDisk();
    const { log } = await open(disk, { budgetBytes: 3000 });
    const entries: Entry[] = [];
    const fill = async (): Promise<void> => {
      for (;;) entries.push(await append(log, "x".repeat(100)));
    };
    await expect(fill()).rejects.toThrow(JournalFull);
    expect(log.usedBytes).toBeLessThanOrEqual(3000);
    await log.append(2, noMeta, Buffer.from("note"), true);
    for (const entry of entries) log.release(entry);
    await log.idle();
    await log.append(2, noMeta, Buffer.from("note"), true);
    await append(log, "y".repeat(100));

    expect(entries.length).toBeGreaterThan(10);
    expect(disk.snapshot().size).toBeLessThanOrEqual(2);
  });

  test("segments go from the oldest on, when nothing in them is live", async () => {
    const disk = new MemoryDisk();
    const { log } = await open(disk, { segmentBytes: 150 });
    const entries: Entry[] = [];
    for (let index = 0; index < 8; index++) entries.push(await append(log, `${index}${"x".repeat(60)}`));
    const names = (): number => disk.files.size;
    expect(names()).toBe(8);
    for (const entry of entries.slice(1, 4)) log.release(entry);
    await append(log, "z");
    expect(names()).toBeGreaterThanOrEqual(8);
    const [first] = entries;
    if (first !== undefined) log.release(first);
    await append(log, "z");
    await log.idle();

    expect((await open(new MemoryDisk(disk.snapshot()))).texts.map((text) => text[0])).toEqual([
      "4",
      "5",
      "6",
      "7",
      "z",
      "z",
    ]);
  });

  test("one long-lived record does not hold up the dead ones behind it", async () => {
    const disk = new MemoryDisk();
    const { log } = await open(disk, { budgetBytes: 4000 });
    const old = await append(log, "long-lived");
    for (let index = 0; index < 14; index++) log.release(await append(log, "x".repeat(120)));
    expect(log.isMostlyDead).toBe(true);
    let told: number[] = [];
    await log.moveOldest(async (moved) => {
      told = moved.map(({ number }) => number);
    });

    expect(told).toEqual([old.number]);
    expect(log.isMostlyDead).toBe(false);
    expect(Buffer.from((await log.read(old)).body).toString()).toBe("long-lived");
    expect((await open(new MemoryDisk(disk.snapshot()))).texts).toContain("long-lived");
    log.release(old);
    await log.close();
    expect((await open(disk)).texts).toEqual([]);
  });

  test("a crash between moving a record and deleting where it was does not double it", async () => {
    const disk = new MemoryDisk();
    const { log } = await open(disk, { budgetBytes: 4000 });
    await append(log, "long-lived");
    for (let index = 0; index < 15; index++) log.release(await append(log, "x".repeat(120)));
    let between = new Map<string, Buffer>();
    await log.moveOldest(async () => {
      between = disk.snapshot();
    });
    const { texts } = await open(new MemoryDisk(between));

    expect(texts.filter((text) => text === "long-lived")).toHaveLength(1);
  });

  test("closing deletes what is not needed any more", async () => {
    const disk = new MemoryDisk();
    const { log } = await open(disk);
    log.release(await append(log, "done"));
    await log.close();

    expect(disk.files.size).toBe(0);
    await expect(append(log, "late")).rejects.toThrow("closed");
  });
});
