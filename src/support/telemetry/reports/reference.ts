import {
  groupsOf,
  parseRegistry,
  type Registry,
  type RegistryAttribute,
} from "../metrics/instruments/registry.ts";

type Signal = ReturnType<typeof groupsOf<"entity" | "event" | "span" | "metric">>[number];

/** The page `docs/telemetry.md`, from the text of `docs/telemetry.yaml`. */
export function renderTelemetryReference(yaml: string): string {
  const registry = parseRegistry(yaml);
  return [
    "# What Tracejury sends",
    "Generated from `docs/telemetry.yaml`; edit that file, then run `npm run generate`.",
    ...groupsOf(registry, "entity").flatMap((one) => signalSection("Resource", one)),
    ...groupsOf(registry, "event").flatMap((one) => signalSection(`Event \`${one.name}\``, one)),
    ...groupsOf(registry, "span").flatMap((one) => signalSection(`Span \`${one.name}\``, one)),
    ...metricSection(registry),
    ...attributeSection(registry),
    "",
  ].join("\n\n");
}

function signalSection(title: string, { brief, attributes }: Signal): string[] {
  const rows = attributes.map((one) => [`\`${one.ref}\``, one.requirement_level]);
  return [`## ${title}`, brief, table(["Attribute", "Requirement"], rows)];
}

function metricSection(registry: Registry): string[] {
  const rows = groupsOf(registry, "metric").map((metric) => [
    `\`${metric.metric_name}\``,
    metric.instrument,
    `\`${metric.unit}\``,
    metric.attributes.map((one) => `\`${one.ref}\``).join(" "),
    metric.brief,
  ]);
  const note =
    "In Prometheus dots become underscores, the unit comes to the end (`_seconds`, `_bytes`) where the name does not end in it, and counters end in `_total`: `tracejury.verdicts` is `tracejury_verdicts_total`, `tracejury.run.duration` is `tracejury_run_duration_seconds`.";
  return ["## Metrics", note, table(["Metric", "Instrument", "Unit", "Attributes", "What it counts"], rows)];
}

function attributeSection(registry: Registry): string[] {
  const groups = groupsOf(registry, "attribute_group").flatMap(({ brief, attributes }) => [
    brief,
    table(["Attribute", "Type", "Stability", "What it holds", "Examples"], attributes.map(attributeRow)),
  ]);
  return ["## Attributes", ...groups];
}

function attributeRow({ id, type, stability, brief, examples }: RegistryAttribute): string[] {
  const isTemplate = type.startsWith("template");
  const shown = examples.map((example) => `\`${String(example)}\``).join("; ");
  return [`\`${id}${isTemplate ? ".*" : ""}\``, isTemplate ? "any" : type, stability, brief, shown];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
