import { readSamples } from "../../src/interfaces/api/endpoints/system.ts";

/** Numbers of spans or log records by their fate, from the metrics. */
export interface Account {
  /** Accepted, or restored from an earlier process. */
  readonly came: number;
  /** Refused individually, not as a part of a refused request. */
  readonly refused: number;
  readonly ended: Readonly<Record<string, number>>;
  readonly open: number;
  /** `came` minus ended minus open: zero if each item is counted exactly once. */
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
