import {
  groupsOf,
  parseRegistry,
  type Registry,
  type RegistryAttribute,
} from "../metrics/instruments/registry.ts";

type Signal = ReturnType<typeof groupsOf<"entity" | "event" | "span" | "metric">>[number];

/** Returns the page `docs/telemetry.md`, made from the text of `docs/telemetry.yaml`. */
export function renderTelemetryReference(yaml: string): string {
  const registry = parseRegistry(yaml);
  return [
    "<!-- Made from docs/telemetry.yaml by npm run generate. -->",
    "# Telemetry that Tracejury exports",
    head,
    ...groupsOf(registry, "entity").map(({ brief }) => wrapped(brief)),
    ...groupsOf(registry, "event").flatMap((one) => signalSection(`Event \`${one.name}\``, one)),
    ...groupsOf(registry, "span").flatMap((one) => signalSection(`Span \`${one.name}\``, one)),
    ...metricSection(registry),
    ...attributeSection(registry),
    "",
  ].join("\n\n");
}

function signalSection(title: string, { brief, attributes }: Signal): string[] {
  const levels = [...new Set(attributes.map((one) => one.requirement_level))].sort().reverse();
  const lists = levels.map((level) => {
    const names = attributes.filter((one) => one.requirement_level === level).map((one) => `\`${one.ref}\``);
    const condition = level === "required" ? "Required attributes" : "Attributes set if known";
    return wrapped(`${condition}: ${names.join(" ")}.`);
  });
  return [`## ${title}`, wrapped(brief), ...lists];
}

function metricSection(registry: Registry): string[] {
  const rows = groupsOf(registry, "metric").map((metric) => [
    `\`${metric.metric_name}\``,
    `${metric.instrument} \`${metric.unit}\``,
    metric.attributes.map((one) => `\`${one.ref}\``).join(" "),
    metric.brief,
  ]);
  return ["## Metrics", names, table(["Metric", "Instrument, unit", "Attributes", "Counts"], rows)];
}

function attributeSection(registry: Registry): string[] {
  const groups = groupsOf(registry, "attribute_group").flatMap(({ brief, attributes }) => [
    wrapped(brief),
    table(["Attribute", "Value", "Examples"], attributes.map(attributeRow)),
  ]);
  return ["## Attributes", ...groups];
}

function attributeRow({ id, type, stability, brief, examples }: RegistryAttribute): string[] {
  const isTemplate = type.startsWith("template");
  // Omits an example that the description already contains.
  const shown = examples
    .map((example) => `\`${String(example)}\``)
    .filter((example) => !brief.includes(example))
    .join("; ");
  const kinds = [
    ...(type === "string" ? [] : [isTemplate ? "any" : type]),
    ...(stability === "stable" ? ["stable"] : []),
  ];
  const kind = kinds.length === 0 ? "" : ` (${kinds.join(", ")})`;
  return [`\`${id}${isTemplate ? ".*" : ""}\`${kind}`, brief, shown];
}

/** Wraps a paragraph at 100 columns. */
function wrapped(text: string): string {
  return text.replaceAll(/(.{1,100})(?:\s+|$)/g, "$1\n").trimEnd();
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

const head = `After this page you can build alerts, dashboards and queries on verdicts and on the health of
Tracejury. Example: the share of failed verdicts of each agent, and the condition of an alert for a
backend that is down.

\`\`\`promql
sum by (agent) (rate(tracejury_verdicts_total{outcome="fail"}[1h]))
  / sum by (agent) (rate(tracejury_verdicts_total[1h]))

tracejury_forward_queue_requests > 10000
\`\`\`

- Verdicts are OpenTelemetry log records and span events ([details](#event-gen_aievaluationresult)).
- Metrics are at \`/metrics\` of the admin port, and go to the backends of \`export.otlp\`.
- \`docker/prometheus/alerts.yml\` has alerts, \`docker/grafana\` a dashboard.

Attributes that begin with \`gen_ai\` follow the [GenAI semantic
conventions](https://github.com/open-telemetry/semantic-conventions-genai) at commit \`002c8a6e\`,
except attributes that are copied from the judged run. An attribute is a string and has the
stability *development*, unless brackets behind its name give another type or stability.`;

const names = `In Prometheus, dots become underscores, and names end in the unit: \`tracejury.run.duration\` is
\`tracejury_run_duration_seconds\`. Counters also end in \`_total\`: \`tracejury_verdicts_total\`.`;
