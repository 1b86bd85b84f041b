import { type Instrument, instruments, type MetricName } from "./instruments/instruments.ts";
import { type Labels, SeriesTable } from "./series.ts";
import { append } from "../../structures/group-by.ts";

/** Bucket counts, sum and count of a histogram. */
class Distribution {
  readonly boundaries: readonly number[];
  /** Counts of the buckets. There is one bucket more than there are boundaries. Bucket i counts values up to and including boundary i. */
  readonly counts: number[];
  sum = 0;
  count = 0;

  constructor(boundaries: readonly number[]) {
    this.boundaries = boundaries;
    this.counts = Array.from({ length: boundaries.length + 1 }, () => 0);
  }

  record(value: number): void {
    let bucket = 0;
    while (bucket < this.boundaries.length && value > (this.boundaries[bucket] ?? Infinity)) bucket++;
    this.counts[bucket] = (this.counts[bucket] ?? 0) + 1;
    this.sum += value;
    this.count++;
  }
}

/**
 * Maximum number of series of a metric. Above this number, values of further series are counted in one common series, with the attribute
 * `otel.metric.overflow`.
 */
const mostSeries = 2000;

export type Report = (value: number, labels: Labels) => void;

/** Records values of metrics. Labels are in the order of the metric's attributes. If a label is null, the attribute is omitted. */
export interface Recorder {
  count(name: MetricName, by: number, labels: Labels): void;
  measure(name: MetricName, value: number, labels: Labels): void;
  /**
   * Registers a function that is called when metrics are collected. The function reports the values of a
   * gauge, or of a counter that the recorder does not add up.
   */
  observe(name: MetricName, read: (report: Report) => void): void;
}

export interface Sum {
  total: number;
}

export class Records implements Recorder {
  readonly sums = new Map<MetricName, SeriesTable<Sum>>();
  readonly distributions = new Map<MetricName, SeriesTable<Distribution>>();
  readonly observers = new Map<MetricName, ((report: Report) => void)[]>();

  count(name: MetricName, by: number, labels: Labels): void {
    let table = this.sums.get(name);
    if (table === undefined) {
      table = new SeriesTable(mostSeries, () => ({ total: 0 }));
      this.sums.set(name, table);
    }
    table.at(labels).total += by;
  }

  measure(name: MetricName, value: number, labels: Labels): void {
    let table = this.distributions.get(name);
    if (table === undefined) {
      const { buckets = [] }: Instrument = instruments[name];
      table = new SeriesTable(mostSeries, () => new Distribution(buckets));
      this.distributions.set(name, table);
    }
    table.at(labels).record(value);
  }

  observe(name: MetricName, read: (report: Report) => void): void {
    append(this.observers, name, read);
  }
}
