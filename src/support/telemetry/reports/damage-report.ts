import type { Log } from "../log/log.ts";
import type { Recorder } from "../metrics/recorder.ts";

export type Storage = "journal" | "forward" | "export" | "store" | "store_queue";

/**
 * What is damaged: one record, the header of a file, or a whole file. If a header is damaged, its copy is read instead. If a file as a
 * whole is damaged, it is renamed.
 */
export type DamageKind = "record" | "header" | "file";

export interface StorageDamage {
  readonly damagedPlaces: number;
  readonly damagedBytes: number;
  readonly damagedHeaders: number;
  readonly corruptFiles: number;
  /** Number of files whose last record is incomplete because of a crash. An incomplete last record does not count as damage. */
  readonly tornTails: number;
}

export interface DamageReport {
  /** @param where the damaged folder, or the destination of a damaged queue */
  found(storage: Storage, where: string, damage: StorageDamage): void;
  /** Reports that a damaged file was replaced by a new one. */
  replaced(storage: Storage, message: string): void;
  /** Damage found since the process started, as texts: at most one for each place, and at most 20 in total; empty if there is none. */
  readonly notices: readonly string[];
}

/**
 * Minimum interval in milliseconds between log lines about the same storage and place. Damage that is not logged is still counted in
 * metrics.
 */
const LOG_EVERY_MS = 60_000;
const MOST_NOTICES = 20;

/** Counts damage on disk, logs it as an error, and lists it on `/readyz`. */
export function damageReport(recorder: Recorder, log: Log, now: () => number): DamageReport {
  const notices = new Map<string, string>();
  const loggedMs = new Map<string, number>();
  const notice = (key: string, message: string, fields: object): void => {
    if (notices.has(key) || notices.size < MOST_NOTICES) notices.set(key, message);
    if (now() - (loggedMs.get(key) ?? -Infinity) < LOG_EVERY_MS) return;
    loggedMs.set(key, now());
    log.error(fields, message);
  };
  const count = (storage: Storage, kind: DamageKind, places: number): void => {
    if (places > 0) recorder.count("tracejury.storage.damage", places, [storage, kind]);
  };
  const totals = new Map<string, StorageDamage>();
  return {
    found(storage, where, damage) {
      count(storage, "record", damage.damagedPlaces);
      count(storage, "header", damage.damagedHeaders);
      count(storage, "file", damage.corruptFiles);
      if (damage.tornTails > 0) {
        recorder.count("tracejury.storage.torn_tails", damage.tornTails, [storage]);
        log.info(
          { storage, where, tornTails: damage.tornTails },
          "a file ended with an incomplete record, as after a crash; this record was removed",
        );
      }
      if (damage.damagedPlaces + damage.damagedHeaders + damage.corruptFiles === 0) return;
      const key = `${storage} ${where}`;
      const total = sum(totals.get(key), damage);
      totals.set(key, total);
      notice(key, `${storage}: ${inWords(total)} in ${where}; all readable data is used`, {
        storage,
        where,
        ...total,
      });
    },
    replaced(storage, message) {
      count(storage, "file", 1);
      notice(`${storage} ${message}`, message, { storage });
    },
    get notices() {
      return [...notices.values()];
    },
  };
}

function sum(one: StorageDamage | undefined, other: StorageDamage): StorageDamage {
  if (one === undefined) return other;
  return {
    damagedPlaces: one.damagedPlaces + other.damagedPlaces,
    damagedBytes: one.damagedBytes + other.damagedBytes,
    damagedHeaders: one.damagedHeaders + other.damagedHeaders,
    corruptFiles: one.corruptFiles + other.corruptFiles,
    tornTails: one.tornTails + other.tornTails,
  };
}

function inWords({ damagedPlaces, damagedBytes, damagedHeaders, corruptFiles }: StorageDamage): string {
  return [
    damagedPlaces > 0 ? `${counted(damagedPlaces, "damaged place")} (${counted(damagedBytes, "byte")})` : "",
    damagedHeaders > 0 ? `${counted(damagedHeaders, "damaged header")} (read from its copy)` : "",
    corruptFiles > 0 ? `${counted(corruptFiles, "unreadable file")} (renamed to .corrupt)` : "",
  ]
    .filter((part) => part !== "")
    .join(", ");
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
