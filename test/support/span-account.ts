import { readSamples } from "../../src/interfaces/api/endpoints/system.ts";

/** What became of spans, as the metrics tell it. */
export interface SpanAccount {
  /** Accepted, and taken up again from an earlier process. */
  readonly came: number;
  /** Refused by themselves. */
  readonly refused: number;
  readonly ended: Readonly<Record<string, number>>;
  readonly open: number;
  /** Those that came, less those that ended or are open: zero when every span is in exactly one counter. */
  readonly rest: number;
}

export function spanAccount(prometheusText: string): SpanAccount {
  const samples = readSamples(prometheusText);
  const sum = (...names: string[]): number =>
    samples
      .filter(({ name }) => names.includes(name))
      .reduce((total, { value }) => total + (value ?? Number.NaN), 0);
  const ended = Object.fromEntries(
    samples
      .filter(({ name }) => name === "tracejury_assembler_spans_total")
      .map(({ labels, value }) => [labels["outcome"] ?? "", value ?? Number.NaN]),
  );
  const came = sum("tracejury_receiver_accepted_spans_total", "tracejury_journal_recovered_spans_total");
  const open = sum("tracejury_assembler_open_spans");
  const rest = came - open - Object.values(ended).reduce((total, value) => total + value, 0);
  return { came, refused: sum("tracejury_receiver_refused_spans_total"), ended, open, rest };
}
