/** Counts of damage in a log's files, and of repairs. */
export interface Repairs {
  /** Number of truncated file ends. A crash interrupted these writes, so they were never acknowledged. */
  tornTails: number;
  /** Number of damaged records, or damaged places between records. Their content is lost. */
  damagedPlaces: number;
  damagedBytes: number;
  /** Number of headers that were read from their second copy. */
  damagedHeaders: number;
  /** Number of files without any readable record. The files were renamed to `….corrupt`. */
  corruptFiles: number;
}

export function noRepairs(): Repairs {
  return { tornTails: 0, damagedPlaces: 0, damagedBytes: 0, damagedHeaders: 0, corruptFiles: 0 };
}

/** Whether any damage was found. */
export function isAnyRepair(repairs: Repairs): boolean {
  return Object.values(repairs).some((count) => count > 0);
}
