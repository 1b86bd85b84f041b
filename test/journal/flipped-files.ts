import { batchFormat } from "../../src/export/queue/open-disk-queues.ts";
import { openDiskQueue } from "../../src/export/queue/disk-queue.ts";
import { outgoingFormat } from "../../src/export/forward/outgoing.ts";
import { type Journal, openJournal } from "../../src/journal/journal.ts";
import { noRepairs, type Repairs } from "../../src/journal/segments/repairs.ts";
import { MemoryDisk } from "./memory-disk.ts";

/** What became of files with one flipped bit each. */
export interface FlippedFiles {
  /** Flips that cost a record. */
  readonly costly: number;
  /** Flips that were reported as damage. */
  readonly reported: number;
  /** Flips that cost more than one record, or one that was not reported, or changed one. */
  readonly wrong: string[];
}

/** Records as they are read, and what was reported meanwhile. */
interface Read {
  readonly records: readonly string[];
  readonly damage: Repairs;
}

interface Kept {
  readonly files: ReadonlyMap<string, Buffer>;
  readonly read: (disk: MemoryDisk, onDamage: (found: Repairs) => void) => Promise<readonly string[]>;
}

const BUDGET = 2 ** 22;
const queue = { sync: false, budgetBytes: BUDGET, onError: () => undefined };

/** Flips one bit at a time in what a killed process left: a journal, a forward queue and an export queue, in turn. */
export async function flipFiles(flips: number, random: () => number): Promise<FlippedFiles> {
  const kept = [await keptJournal(random), await keptForwardQueue(random), await keptExportQueue(random)];
  const whole = await Promise.all(kept.map((one) => readBack(one, one.files)));
  const wrong: string[] = whole.flatMap(({ damage }) =>
    isAny(damage) ? ["damage was reported where there is none"] : [],
  );
  let costly = 0;
  let reported = 0;
  for (let flip = 0; flip < flips; flip++) {
    const which = flip % kept.length;
    const [one, { records = [] } = {}] = [kept[which], whole[which]];
    if (one === undefined) continue;
    const { files, where } = flipped(one.files, random);
    const after = await readBack(one, files);
    const left = new Set(after.records);
    const lost = records.filter((record) => !left.has(record)).length;
    const foreign = after.records.filter((record) => !records.includes(record)).length;
    if (lost > 0) costly++;
    if (isAny(after.damage)) reported++;
    if (lost > 1 || foreign > 0 || (lost > 0 && !isAny(after.damage))) {
      wrong.push(`${where}: ${lost} lost, ${foreign} changed, reported ${JSON.stringify(after.damage)}`);
    }
  }
  return { costly, reported, wrong };
}

function isAny({ damagedPlaces, damagedHeaders, corruptFiles }: Repairs): boolean {
  return damagedPlaces + damagedHeaders + corruptFiles > 0;
}

async function readBack({ read }: Kept, files: ReadonlyMap<string, Buffer>): Promise<Read> {
  const damage = noRepairs();
  const records = await read(new MemoryDisk(files), (found) => {
    for (const [name, count] of Object.entries(found)) damage[name as keyof Repairs] += count;
  });
  return { records, damage };
}

function flipped(
  files: ReadonlyMap<string, Buffer>,
  random: () => number,
): { files: ReadonlyMap<string, Buffer>; where: string } {
  const bytes = [...files.values()].reduce((sum, { length }) => sum + length, 0);
  let at = Math.floor(random() * bytes);
  const copies = new Map(files);
  for (const [name, content] of files) {
    if (at >= content.length) {
      at -= content.length;
      continue;
    }
    const copy = Buffer.from(content);
    const bit = Math.floor(random() * 8);
    copy.writeUInt8(copy.readUInt8(at) ^ (1 << bit), at);
    copies.set(name, copy);
    return { files: copies, where: `bit ${bit} of byte ${at} of ${name}` };
  }
  return { files, where: "nowhere" };
}

function someBytes(random: () => number, mostBytes: number): Buffer {
  return Buffer.from(
    Array.from({ length: 1 + Math.floor(random() * mostBytes) }, () => Math.floor(random() * 256)),
  );
}

async function keptJournal(random: () => number): Promise<Kept> {
  const disk = new MemoryDisk();
  const open = (from: MemoryDisk, onDamage: (found: Repairs) => void = () => undefined): Promise<Journal> =>
    openJournal({
      dir: "",
      disk: from,
      durability: "flush",
      budgetBytes: BUDGET,
      segmentBytes: 8_000,
      onDamage,
    });
  const journal = await open(disk);
  for (let n = 0; n < 40; n++) {
    const meta = { signal: "traces", encoding: "protobuf", receivedUnixMs: n } as const;
    await journal.append(someBytes(random, 1_500), meta);
    if (n % 5 === 0)
      await journal.noteJudged({ runId: `run ${n}`, traceIds: [`${n}`], fingerprint: "", verdicts: [] });
  }
  return {
    files: disk.snapshot(),
    read: async (from, onDamage) => {
      const past = await open(from, onDamage);
      const records = past.past.judgements.map(({ runId }) => runId);
      for await (const { body } of past.recover()) records.push(Buffer.from(body).toString("base64"));
      return records;
    },
  };
}

/** With a file that was written over, and requests that are done. */
async function keptForwardQueue(random: () => number): Promise<Kept> {
  const disk = new MemoryDisk();
  let salt = 1;
  const options = { ...queue, salt: () => (salt += 0x1234567), segmentBytes: 140_000 };
  const store = await openDiskQueue({ ...options, disk }, outgoingFormat);
  for (let n = 0; n < 100; n++) {
    const stored = await store.add({
      signal: "traces",
      encoding: "protobuf",
      coding: null,
      headers: { n: `${n}` },
      body: someBytes(random, 8_000),
    });
    if (n < 60) stored.done();
  }
  return {
    files: disk.snapshot(),
    read: async (from, onDamage) => {
      const opened = await openDiskQueue({ ...options, disk: from, onDamage }, outgoingFormat);
      const read = await Promise.all(opened.recovered.map((stored) => stored.read()));
      return read.flatMap((outgoing) =>
        outgoing === null ? [] : [Buffer.from(outgoing.body).toString("base64")],
      );
    },
  };
}

async function keptExportQueue(random: () => number): Promise<Kept> {
  const disk = new MemoryDisk();
  const options = { ...queue, salt: () => 77 };
  const diskQueue = await openDiskQueue({ ...options, disk }, batchFormat);
  for (let n = 0; n < 20; n++) await diskQueue.add([someBytes(random, 900), someBytes(random, 900)]);
  return {
    files: disk.snapshot(),
    read: async (from, onDamage) => {
      const opened = await openDiskQueue({ ...options, disk: from, onDamage }, batchFormat);
      const blocks = await Promise.all(opened.recovered.map((block) => block.read()));
      return blocks.flatMap((block) => (block === null ? [] : [Buffer.concat(block).toString("base64")]));
    },
  };
}
