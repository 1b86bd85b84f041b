import { readSamples } from "../../src/interfaces/api/endpoints/system.ts";

/** What became of spans or log records, as the metrics tell it. */
export interface Account {
  /** Accepted, and taken up again from an earlier process. */
  readonly came: number;
  /** Refused by themselves. */
  readonly refused: number;
  readonly ended: Readonly<Record<string, number>>;
  readonly open: number;
  /** Those that came, less those that ended or are open: zero when each is in exactly one counter. */
  readonly rest: number;
}

export const spanAccount = (prometheusText: string): Account => accountOf(prometheusText, "spans");
export const logAccount = (prometheusText: string): Account => accountOf(prometheusText, "log_records");

function accountOf(prometheusText: string, items: "spans" | "log_records"): Account {
  const samples = readSamples(prometheusText);
  const sum = (...names: string[]): number =>
    samples
      .filter(({ name }) => names.includes(name))
      .reduce((total, { value }) => total + (value ?? Number.NaN), 0);
  const ended = Object.fromEntries(
    samples
      .filter(({ name }) => name === `tracejury_assembler_${items}_total`)
      .map(({ labels, value }) => [labels["outcome"] ?? "", value ?? Number.NaN]),
  );
  const came = sum(
    `tracejury_receiver_accepted_${items}_total`,
    `tracejury_journal_recovered_${items}_total`,
  );
  const open = sum(`tracejury_assembler_open_${items}`);
  const rest = came - open - Object.values(ended).reduce((total, value) => total + value, 0);
  return { came, refused: sum(`tracejury_receiver_refused_${items}_total`), ended, open, rest };
}
