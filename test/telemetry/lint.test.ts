import { afterEach, describe, expect, test } from "vitest";
import {
  type Instrument,
  instruments,
  type MetricName,
} from "../../src/support/telemetry/metrics/instruments/instruments.ts";
import { createMeter, type OwnMeter } from "../../src/support/telemetry/metrics/meter.ts";

let meter: OwnMeter;
afterEach(() => meter.shutdown(0));

/** Every metric there is, with awkward labels. */
function everything(otelcolNames = false): OwnMeter {
  meter = createMeter({ version: "1", resource: { "service.name": "tracejury" }, otelcolNames });
  for (const [name, { kind, attributes }] of Object.entries<Instrument>(instruments)) {
    const metric = name as MetricName;
    for (const value of ['a"b\\c\nd', "é{}", "traces"]) {
      const labels = attributes.map(() => value);
      if (kind === "counter") meter.recorder.count(metric, 3, labels);
      else if (kind === "histogram") for (const n of [0, 7, 1e9]) meter.recorder.measure(metric, n, labels);
      else if (attributes.length > 0 || value === "traces")
        meter.recorder.observe(metric, (report) => report(1, labels));
    }
  }
  return meter;
}

interface Family {
  readonly help: string;
  readonly type: string;
  readonly samples: { readonly name: string; readonly labels: Map<string, string>; readonly value: string }[];
}

/** Prometheus text by the format's own rules; throws for a line that is none. */
function parse(text: string): Map<string, Family> {
  const families = new Map<string, Family>();
  const help = new Map<string, string>();
  let current: Family | undefined;
  let name = "";
  for (const line of text.split("\n")) {
    if (line === "") continue;
    const meta = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line);
    if (meta?.[1] === "HELP") help.set(meta[2] ?? "", meta[3] ?? "");
    else if (meta !== null) {
      name = meta[2] ?? "";
      if (families.has(name)) throw new Error(`${name} comes twice`);
      current = { help: help.get(name) ?? "", type: meta[3] ?? "", samples: [] };
      families.set(name, current);
    } else {
      const sample = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (-?[\d.]+(?:e[+-]?\d+)?|[+-]Inf|NaN)(?: \d+)?$/.exec(
        line,
      );
      if (sample === null || current === undefined) throw new Error(`no line of the format: ${line}`);
      const [, of = "", inner = "", value = ""] = sample;
      if (of !== name && !(current.type === "histogram" && /_(bucket|sum|count)$/.test(of)))
        throw new Error(`${of} stands among those of ${name}`);
      current.samples.push({ name: of, labels: labelsOf(inner), value });
    }
  }
  return families;
}

function labelsOf(inner: string): Map<string, string> {
  const labels = new Map<string, string>();
  let rest = inner;
  while (rest !== "") {
    const [whole = "", name = "", value = ""] =
      /^([a-zA-Z_]\w*)="((?:[^"\\\n]|\\["\\n])*)",?/.exec(rest) ?? [];
    if (whole === "" || labels.has(name)) throw new Error(`no labels: ${inner}`);
    labels.set(name, value);
    rest = rest.slice(whole.length);
  }
  return labels;
}

/** What promtool says about names. */
function nameProblems(name: string, { help, type }: Family): string[] {
  const problems: string[] = [];
  if (help.trim() === "") problems.push("no help");
  if (type === "counter" && !name.endsWith("_total")) problems.push("a counter ends in _total");
  if (type !== "counter" && name.endsWith("_total")) problems.push("only a counter ends in _total");
  if (/_(count|sum|bucket)$/.test(name)) problems.push("a suffix of histograms");
  if (/counter|gauge|histogram|summary|untyped/.test(name)) problems.push("the type in the name");
  if (/:/.test(name)) problems.push("a colon, which is for rules");
  if (/[a-z][A-Z]/.test(name)) problems.push("camel case");
  if (/_(s|ms|us|ns|sec|b|kb|mb|gb|pct)(_|$)/.test(name)) problems.push("an abbreviated unit");
  if (/(milli|micro|nano)seconds|minutes|hours|days|(kilo|mega|giga|kibi|mebi)bytes|percent/.test(name))
    problems.push("not a base unit");
  return problems;
}

describe("Prometheus", () => {
  test("the text is of the format, and names are as promtool wants them", async () => {
    const families = parse(await everything().prometheus());
    const problems = [...families].flatMap(([name, family]) =>
      nameProblems(name, family).map((problem) => `${name}: ${problem}`),
    );
    expect(problems).toEqual([]);
    expect([...families.keys()].filter((name) => name.startsWith("tracejury_"))).toHaveLength(
      Object.keys(instruments).length,
    );
  });

  /**
   * Of OpenTelemetry's rules for Prometheus: units in words at the end, before `_total`; annotations and `1` (but of gauges) are none.
   * Items are named all the same, because `tracejury_check_count` would end as a part of a histogram does.
   */
  const suffixes: Readonly<Record<string, string>> = { s: "_seconds", By: "_bytes", "{item}": "_items" };

  test("each metric's name, type and help follow from its OpenTelemetry name, kind, unit and description", async () => {
    const families = parse(await everything().prometheus());
    for (const [name, { kind, unit, brief }] of Object.entries<Instrument>(instruments)) {
      const plain = name.replaceAll(/[^a-zA-Z0-9_:]/g, "_");
      const suffix =
        unit !== "{item}" && /^\{.*\}$/.test(unit)
          ? ""
          : unit === "1"
            ? kind === "gauge"
              ? "_ratio"
              : ""
            : suffixes[unit];
      expect([name, unit, suffix]).toEqual([name, unit, expect.any(String)]);
      const ended = plain.endsWith(suffix ?? "") ? plain : `${plain}${suffix}`;
      const family = families.get(kind === "counter" ? `${ended}_total` : ended);
      expect([name, family?.type]).toEqual([name, kind]);
      expect(family?.help).toBe(brief);
    }
  });

  test("no series comes twice, and histograms are whole", async () => {
    for (const [name, { type, samples }] of parse(await everything().prometheus())) {
      const series = samples.map(
        ({ name: of, labels }) =>
          `${of}${JSON.stringify([...labels].toSorted(([a], [b]) => (a < b ? -1 : 1)))}`,
      );
      expect(new Set(series).size).toBe(series.length);
      if (type !== "histogram") continue;
      const without = (labels: Map<string, string>): string =>
        JSON.stringify([...labels].filter(([label]) => label !== "le"));
      for (const { labels, value } of samples.filter((one) => one.name === `${name}_count`)) {
        const buckets = samples.filter(
          (one) => one.name === `${name}_bucket` && without(one.labels) === without(labels),
        );
        const counts = buckets.map((bucket) => Number(bucket.value));
        expect(counts).toEqual(counts.toSorted((a, b) => a - b));
        expect(buckets.at(-1)?.labels.get("le")).toBe("+Inf");
        expect(buckets.at(-1)?.value).toBe(value);
      }
    }
  });
});

test("in OTLP, a counter's unit is a thing that is counted, or bytes; a duration is in seconds", () => {
  const wrong = Object.entries<Instrument>(instruments).filter(
    ([name, { kind, unit: written }]) =>
      (kind === "counter" && !/^(By|\{\w+\})$/.test(written)) ||
      (/duration|latency/.test(name) && written !== "s") ||
      (/bytes|memory|disk/.test(name) && kind === "gauge" && written !== "By"),
  );
  expect(wrong.map(([name]) => name)).toEqual([]);
});
