import type { Disk } from "./disk.ts";
import { type Entry, Segment, segmentSequence } from "./segment.ts";
import { recordBytes } from "./segment-format.ts";
import { readSegment, recordIn } from "./segment-reader.ts";
import { SPARE_NAME } from "./spare-file.ts";

/** What was wrong on the disk, and what was done about it. */
export interface Repairs {
  /** Ends of files that were cut off: writes that a crash broke off, not acknowledged to anybody. */
  tornTails: number;
  /** Damaged places between good records; what was in them is lost. */
  damagedPlaces: number;
  damagedBytes: number;
  /** Files that are no segments at all; renamed to `….corrupt`. */
  corruptFiles: number;
}

export interface Found {
  /** In order, each with its records. */
  readonly segments: Segment[];
  readonly entries: Entry[];
  readonly nextSequence: number;
  readonly nextNumber: number;
  readonly repairs: Repairs;
}

/** Sees every good record while the segments are read. The bytes are views that do not outlive the call. */
export type Visit = (entry: Entry, meta: Uint8Array, body: Uint8Array) => void;

const CORRUPT = ".corrupt";
/** Files put aside that are kept for a look at them. */
const MOST_CORRUPT = 4;

/** Reads all segments of a folder, repairs what it can, and puts aside what it cannot. Rejects only when the folder itself cannot be read. */
export async function openSegments(disk: Disk, visit: Visit): Promise<Found> {
  const names = await disk.list();
  const sequences = names.flatMap((name) => segmentSequence(name) ?? []).sort((a, b) => a - b);
  const repairs: Repairs = { tornTails: 0, damagedPlaces: 0, damagedBytes: 0, corruptFiles: 0 };
  const segments: Segment[] = [];
  const entries: Entry[] = [];
  const numbers = new Set<number>();
  const newest = sequences[sequences.length - 1];
  if (names.includes(SPARE_NAME)) await disk.remove(SPARE_NAME).catch(ignore);
  for (const sequence of sequences) {
    const segment = await openSegment(disk, sequence, sequence === newest, repairs, (entry, meta, body) => {
      if (numbers.has(entry.number)) return entry.segment.drop(entry, recordBytes(entry)); // moved, and the crash came before the old one was deleted
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
  isNewest: boolean,
  repairs: Repairs,
  visit: Visit,
): Promise<Segment | null> {
  const segment = new Segment(sequence, 0);
  const bytes = await disk.read(segment.name).catch(() => null);
  const contents = bytes === null ? null : readSegment(bytes);
  if (bytes === null || contents === null || contents.header.sequence !== sequence) {
    if (bytes?.length === 0) await disk.remove(segment.name).catch(ignore);
    else await putAside(disk, segment.name, repairs);
    return null;
  }
  segment.bytes = bytes.length;
  for (const { bytes: damaged, atEnd, isBegun } of contents.damages) {
    // Behind the last record of a file that is written over lies what was there before; once it is full, that is cut off.
    if (atEnd && !isBegun && isNewest && contents.header.isReused) continue;
    if (atEnd) repairs.tornTails++;
    else repairs.damagedPlaces++;
    if (!atEnd) repairs.damagedBytes += damaged;
  }
  if (contents.goodBytes < bytes.length) {
    const cut = disk.truncate(segment.name, contents.goodBytes);
    if (await cut.then(() => true, no)) segment.bytes = contents.goodBytes;
  }
  for (const place of contents.records) {
    const { meta, body } = recordIn(bytes, place);
    visit(segment.hold(place, recordBytes(place)), meta, body);
  }
  return segment;
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
  // A disk that cannot be repaired may still be read; writing will tell what is the matter with it.
}
