/** Numbers of damages and repairs in the files of a log. */
export interface Repairs {
  /**
   * Number of files whose incomplete last record was removed. A crash had interrupted the write of this record, before the sender got a
   * response.
   */
  tornTails: number;
  /** Number of damaged records, and of damaged bytes between records. The content of damaged records is lost. */
  damagedPlaces: number;
  damagedBytes: number;
  /** Number of headers that were read from their second copy. */
  damagedHeaders: number;
  /** Number of files without a readable record, which were renamed to `….corrupt`. */
  corruptFiles: number;
}

export function noRepairs(): Repairs {
  return { tornTails: 0, damagedPlaces: 0, damagedBytes: 0, damagedHeaders: 0, corruptFiles: 0 };
}

/** Whether any damage was found. */
export function isAnyRepair(repairs: Repairs): boolean {
  return Object.values(repairs).some((count) => count > 0);
}
