import type { Attributes, Histogram, Meter, Observable } from "@opentelemetry/api";
import { type Instrument, instruments, type MetricName } from "./instruments.ts";
import { type Alias, otelcolNames } from "./otelcol-names.ts";
import { attributesOf, Tally } from "./tally.ts";

/** Series a metric may have; what goes beyond is counted together in one series, `otel.metric.overflow`. */
export const mostSeries = 2000;

export type Report = (value: number, attributes?: Attributes) => void;

/** Records into our instruments. Attribute values come in the order the instrument names them; null leaves one out. */
export interface Recorder {
  count(name: MetricName, by: number, values: readonly (string | null)[]): void;
  measure(name: MetricName, value: number, values: readonly (string | null)[]): void;
  /** Reads a gauge, or a counter that somebody else keeps, whenever metrics are collected. */
  observe(name: MetricName, read: (report: Report) => void): void;
}

/** @param aliases also gives the Collector's names to the metrics that it has, too */
export function createRecorder(meter: Meter, aliases: boolean): Recorder {
  const tallies = new Map<MetricName, Tally>();
  const histograms = new Map<MetricName, Histogram>();
  const observables = new Map<string, Observable>();

  const observeAs = (name: string, instrument: Instrument, read: (report: Report) => void): void => {
    const observable = observables.get(name) ?? createObservable(meter, name, instrument);
    observables.set(name, observable);
    observable.addCallback((result) => read((value, attributes) => result.observe(value, attributes)));
  };
  const observe: Recorder["observe"] = (name, read) => {
    observeAs(name, instruments[name], read);
    if (!aliases) return;
    for (const alias of otelcolNames) {
      if (alias.of === name) observeAs(alias.name, instruments[name], renamed(alias, read));
    }
  };
  const tally = (name: MetricName): Tally => {
    const made = new Tally(instruments[name].attributes, mostSeries);
    tallies.set(name, made);
    observe(name, (report) => made.report(report));
    return made;
  };
  const histogram = (name: MetricName): Histogram => {
    const { unit, brief, buckets = [] }: Instrument = instruments[name];
    const advice = { explicitBucketBoundaries: [...buckets] };
    const made = meter.createHistogram(name, { unit, description: brief, advice });
    histograms.set(name, made);
    return made;
  };
  return {
    count: (name, by, values) => (tallies.get(name) ?? tally(name)).add(by, values),
    measure: (name, value, values) => {
      const attributes = attributesOf(instruments[name].attributes, values);
      (histograms.get(name) ?? histogram(name)).record(value, attributes);
    },
    observe,
  };
}

function createObservable(meter: Meter, name: string, { kind, unit, brief }: Instrument): Observable {
  const options = { unit, description: brief };
  return kind === "gauge"
    ? meter.createObservableGauge(name, options)
    : meter.createObservableCounter(name, options);
}

function renamed(alias: Alias, read: (report: Report) => void): (report: Report) => void {
  return (report) =>
    read((value, attributes = {}) => {
      const under = alias.attributes(attributes);
      if (under !== null) report(value, under);
    });
}
