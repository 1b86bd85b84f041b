import type { Disk } from "../disk/disk.ts";
import { noRepairs, type Repairs } from "./repairs.ts";
import { type Entry, Segment, segmentName, segmentSequence } from "./segment.ts";
import { isUnfinished, readSegment, recordBytes, recordIn, type SegmentContents } from "./segment-format.ts";
import { SPARE_NAME } from "../disk/spare-file.ts";

export interface Found {
  /** Segments in order, with their records. */
  readonly segments: Segment[];
  readonly entries: Entry[];
  readonly nextSequence: number;
  readonly nextNumber: number;
  readonly repairs: Repairs;
}

/** Receives each valid record while segments are read. `meta` and `body` are views, valid only during the call. */
export type Visit = (entry: Entry, meta: Uint8Array, body: Uint8Array) => void;

const CORRUPT = ".corrupt";
/** Maximum number of corrupt files that are kept for inspection. */
const MOST_CORRUPT = 4;

/** Reads and repairs all segments of a folder. Renames files that cannot be repaired. Rejects only if the folder cannot be read. */
export async function openSegments(disk: Disk, visit: Visit): Promise<Found> {
  const names = await disk.list();
  const sequences = names.flatMap((name) => segmentSequence(name) ?? []).sort((a, b) => a - b);
  const repairs = noRepairs();
  const segments: Segment[] = [];
  const entries: Entry[] = [];
  const numbers = new Set<number>();
  const newest = sequences[sequences.length - 1];
  if (names.includes(SPARE_NAME)) await disk.remove(SPARE_NAME).catch(ignore);
  for (const sequence of sequences) {
    const segment = await openSegment(disk, sequence, repairs, (entry, meta, body) => {
      // A second record with the same number is the copy of a record that was moved.
      if (numbers.has(entry.number)) return entry.segment.drop(entry, recordBytes(entry));
      numbers.add(entry.number);
      entries.push(entry);
      visit(entry, meta, body);
    });
    if (segment !== null) segments.push(segment);
  }
  await forgetCorrupt(disk, names);
  return {
    segments,
    entries,
    nextSequence: (newest ?? 0) + 1,
    nextNumber: entries.reduce((most, { number }) => Math.max(most, number), 0) + 1,
    repairs,
  };
}

async function openSegment(
  disk: Disk,
  sequence: number,
  repairs: Repairs,
  visit: Visit,
): Promise<Segment | null> {
  const name = segmentName(sequence);
  const bytes = await disk.read(name).catch(() => null);
  if (bytes !== null && isUnfinished(bytes)) {
    if (bytes.length > 0) repairs.tornTails++;
    await disk.remove(name).catch(ignore);
    return null;
  }
  const contents = bytes === null ? null : readSegment(bytes);
  if (
    bytes === null ||
    contents === null ||
    contents.header.sequence !== sequence ||
    isUnreadable(contents)
  ) {
    await putAside(disk, name, repairs);
    return null;
  }
  const { header, damages, rest, goodBytes, records } = contents;
  const segment = new Segment(sequence, bytes.length, header.salt);
  if (header.isDamaged) repairs.damagedHeaders++;
  repairs.damagedPlaces += damages.length;
  for (const damage of damages) repairs.damagedBytes += damage.bytes;
  if (rest === "torn write") repairs.tornTails++;
  // Damaged bytes are not removed from the file, so that they can be inspected until the file is deleted.
  if (rest === "torn write" || rest === "old bytes") {
    const cut = disk.truncate(name, goodBytes);
    if (await cut.then(() => true, no)) segment.bytes = goodBytes;
  }
  for (const place of records) {
    const { meta, body } = recordIn(bytes, place);
    visit(segment.hold(place, recordBytes(place)), meta, body);
  }
  return segment;
}

/** Whether no record of a file can be read, although the file should contain some. Such a file is renamed, and not truncated. */
function isUnreadable({ header, records, damages, rest }: SegmentContents): boolean {
  return records.length === 0 && (damages.length > 0 || (!header.hasCopy && rest !== "nothing"));
}

async function putAside(disk: Disk, name: string, repairs: Repairs): Promise<void> {
  repairs.corruptFiles++;
  await disk.rename(name, `${name}${CORRUPT}`).catch(ignore);
}

async function forgetCorrupt(disk: Disk, names: readonly string[]): Promise<void> {
  const old = names
    .filter((name) => name.endsWith(CORRUPT))
    .sort()
    .slice(0, -MOST_CORRUPT);
  for (const name of old) await disk.remove(name).catch(ignore);
}

function no(): boolean {
  return false;
}

function ignore(): void {
  // The error is ignored: the file can be read without the repair. If the disk is the cause, the next write reports the error.
}
