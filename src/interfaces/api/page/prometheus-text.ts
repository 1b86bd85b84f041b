export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Null for infinities and what is no number. */
  readonly value: number | null;
}

const line = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)/;
const label = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g;

/** The samples of Prometheus text; buckets of histograms are left out. */
export function readSamples(text: string): Sample[] {
  const samples: Sample[] = [];
  for (const written of text.split("\n")) {
    const [, name, inBraces = "", number = ""] = line.exec(written) ?? [];
    if (name === undefined || name.endsWith("_bucket")) continue;
    const entries = [...inBraces.matchAll(label)].map(([, key = "", value = ""]): [string, string] => [
      key,
      value.replaceAll(/\\(.)/g, (_, character: string) => (character === "n" ? "\n" : character)),
    ]);
    const value = Number(number);
    samples.push({ name, labels: Object.fromEntries(entries), value: Number.isFinite(value) ? value : null });
  }
  return samples;
}
