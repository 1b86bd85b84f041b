import { z } from "zod";
import { type Endpoint, endpoint, notFound } from "../http/endpoint.ts";

interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Value of the sample. Null if the value is infinite or NaN. */
  readonly value: number | null;
}

const line = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)/;

const label = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g;

/** Data that the collector reports about itself. */
export interface SystemReading {
  readonly metrics: () => Promise<string>;
  readonly status: () => object | Promise<object>;
  readonly ready: () => {
    readonly ready: boolean;
    readonly reasons: readonly string[];
    readonly damage?: readonly string[];
  };
  readonly specs?: (() => readonly SpecJson[]) | undefined;
  /** Returns the effective configuration as JSON text. Secrets are masked. */
  readonly config?: (() => string) | undefined;
  /** Describes the telemetry of the newest runs, in the format of `doctor --format json`. */
  readonly doctor?: (() => Promise<object>) | undefined;
  /** Returns the specs that `init --from` would write from the newest stored runs. */
  readonly proposedSpecs?: (() => Promise<ProposedSpecs>) | undefined;
}

const proposed = z.strictObject({
  runs: z.int().describe("Number of runs from which the specs are made; the newest runs are used"),
  left_out: z
    .int()
    .describe(
      "Number of runs without a proposed spec, because their query is unknown, or because query or agent is the wildcard `*`",
    ),
  failed: z.int().describe("Number of runs without a proposed spec, because they were judged as failed"),
  specs: z.array(z.strictObject({ agent: z.string(), file: z.string(), yaml: z.string() })),
});
export type ProposedSpecs = z.infer<typeof proposed>;

const spec = z.strictObject({
  name: z.string(),
  file: z.string(),
  hash: z.string(),
  agent: z.string(),
  queries: z.array(
    z.strictObject({
      id: z.string(),
      query: z.string(),
      line: z.int().describe("Line of the file where the query begins"),
      yaml: z
        .string()
        .nullable()
        .describe("The query's block in the current file; null for a row of a table, or if unreadable"),
      row: z
        .strictObject({ file: z.string(), line: z.int() })
        .optional()
        .describe("Row of the table that defines the query; absent if the spec defines it"),
    }),
  ),
});
export type SpecJson = z.infer<typeof spec>;

const sample = z.strictObject({
  name: z.string(),
  labels: z.record(z.string(), z.string()),
  value: z.number().nullable().describe("Null if the value is not a finite number"),
});

export function systemEndpoints(reading: SystemReading): Endpoint[] {
  const absent = (what: string) => ({
    problem: notFound(`There is no ${what}.`, "This server does not provide this information."),
  });
  return [
    endpoint({
      path: "/api/v1/status",
      summary: "Open and stored telemetry, and whether the collector is ready",
      answer: z.looseObject({
        version: z.string(),
        ready: z.boolean(),
        reasons: z.array(z.string()),
        damage: z.array(z.string()).optional().describe("Damage that was found on the disk since the start"),
      }),
      handle: async () => ({ json: { ...(await reading.status()), ...reading.ready() } }),
    }),
    endpoint({
      path: "/api/v1/metrics",
      summary: "The samples of /metrics as JSON; histograms without buckets",
      answer: z.strictObject({ samples: z.array(sample) }),
      handle: async () => ({ json: { samples: readSamples(await reading.metrics()) } }),
    }),
    endpoint({
      path: "/api/v1/specs",
      summary: "The specs that runs are judged by, with their queries",
      answer: z.strictObject({ specs: z.array(spec) }),
      handle: () =>
        Promise.resolve(
          reading.specs === undefined ? absent("list of specs") : { json: { specs: reading.specs() } },
        ),
    }),
    endpoint({
      path: "/api/v1/config",
      summary: "The effective configuration with masked secrets, and the source of each value",
      answer: z.looseObject({ config: z.looseObject({}) }),
      handle: () =>
        Promise.resolve(
          reading.config === undefined ? absent("configuration to show") : { text: reading.config() },
        ),
    }),
    endpoint({
      path: "/api/v1/proposed-specs",
      summary: "Specs that `init --from` would write from the newest stored runs, one for each agent",
      answer: proposed,
      handle: async () =>
        reading.proposedSpecs === undefined
          ? absent("stored telemetry to make a spec from")
          : { json: await reading.proposedSpecs() },
    }),
    endpoint({
      path: "/api/v1/doctor",
      summary:
        "Evidence in the telemetry of the newest runs, and the settings that record missing evidence, in the format of `doctor --format json`",
      answer: z.looseObject({ format_version: z.literal(1) }),
      handle: async () =>
        reading.doctor === undefined ? absent("stored telemetry") : { json: await reading.doctor() },
    }),
  ];
}

/** Parses samples in the Prometheus text format. Omits histogram buckets. */
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
