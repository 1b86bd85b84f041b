import type { Batch } from "../../../otlp/rows/batch.ts";

/** An item of the dumps. `line` counts lines from 1; in binary files it counts records. */
export type DumpItem =
  | {
      readonly kind: "batch";
      readonly batch: Batch;
      /** Number of metric data points in the same record. Metrics are only counted, not read. */
      readonly dataPoints: number;
      /** Number of decompressed bytes from the beginning of all files to the end of this record. */
      readonly position: number;
      readonly file: string;
      readonly line: number;
      /** Whether another reader of the same dumps reports the errors of this item. */
      readonly isElsewhere: boolean;
    }
  | { readonly kind: "invalid"; readonly file: string; readonly line: number; readonly reason: string }
  /** A file without telemetry that was found in a folder. */
  | { readonly kind: "skipped"; readonly file: string; readonly reason: string };
