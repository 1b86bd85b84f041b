/** Damage in the files of a log, and its repair. */
export interface Repairs {
  /** Ends of files that were cut off: writes that a crash broke off, so that they were never acknowledged. */
  tornTails: number;
  /** Damaged records, or places between records; what was in them is lost. */
  damagedPlaces: number;
  damagedBytes: number;
  /** Headers that were read from their second copy. */
  damagedHeaders: number;
  /** Files in which nothing could be read; renamed to `….corrupt`. */
  corruptFiles: number;
}

export function noRepairs(): Repairs {
  return { tornTails: 0, damagedPlaces: 0, damagedBytes: 0, damagedHeaders: 0, corruptFiles: 0 };
}

/** Whether anything was found at all. */
export function isAnyRepair(repairs: Repairs): boolean {
  return Object.values(repairs).some((count) => count > 0);
}
