import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { loadConfig } from "../../src/config/load.ts";

/*
 * The dashboard, the alerts and the deployments speak of metrics and settings that there are.
 */

interface Metric {
  readonly metric_name?: string;
  readonly instrument?: string;
  readonly unit?: string;
  readonly attributes?: readonly { readonly ref: string }[];
}

const registry = parse(readFileSync("docs/telemetry.yaml", "utf8")) as { groups: readonly Metric[] };

/** Every series as Prometheus sees it, with its labels. */
const series = new Map(
  registry.groups.flatMap(({ metric_name: name, instrument, unit = "", attributes = [] }) => {
    if (name === undefined) return [];
    const word = { s: "seconds", By: "bytes" }[unit] ?? "";
    const base = `${name.replaceAll(".", "_")}${word === "" || name.endsWith(word) ? "" : `_${word}`}`;
    const labels = [...attributes.map(({ ref }) => ref), "instance", "job"];
    const suffixes = { counter: ["_total"], histogram: ["_bucket", "_sum", "_count"] }[instrument ?? ""] ?? [
      "",
    ];
    return suffixes.map(
      (suffix) => [`${base}${suffix}`, suffix === "_bucket" ? [...labels, "le"] : labels] as const,
    );
  }),
);

interface Panel {
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}

const dashboard = JSON.parse(readFileSync("docker/grafana/dashboards/tracejury.json", "utf8")) as {
  panels: readonly Panel[];
};
const alerts = parse(readFileSync("docker/prometheus/alerts.yml", "utf8")) as {
  groups: readonly { rules: readonly { alert: string; expr: string; annotations: { summary: string } }[] }[];
};
const rules = alerts.groups.flatMap((group) => group.rules);
const [, example = ""] = /```promql\n([^]*?)```/.exec(readFileSync("docs/telemetry.md", "utf8")) ?? [];
const expressions = [
  ["docs/telemetry.md", example, ""] as const,
  ...dashboard.panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr, legendFormat }) => [`panel ${title}`, expr, legendFormat] as const),
  ),
  ...rules.map(({ alert, expr, annotations }) => [`alert ${alert}`, expr, annotations.summary] as const),
];

describe("dashboard and alerts", () => {
  test.each(expressions)("%s names series and labels that there are", (_, expr, text) => {
    const names = expr.match(/\btracejury_\w+/g) ?? (expr.startsWith("up{") ? [] : ["(no series)"]);
    for (const name of names) expect([...series.keys()]).toContain(name);
    const known = new Set(names.flatMap((name) => series.get(name) ?? []));
    for (const [, name, matchers] of expr.matchAll(/\b(tracejury_\w+)\{([^}]*)\}/g)) {
      const labels = [...(matchers ?? "").matchAll(/(\w+)\s*[=!]~?/g)].map(([, label]) => label);
      for (const label of labels) expect(series.get(name ?? "")).toContain(label);
    }
    const grouped = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, labels]) =>
      (labels ?? "").split(/,\s*/),
    );
    for (const label of grouped) expect([...known]).toContain(label);
    const kept = new Set(grouped.length > 0 ? grouped : ["instance", "destination"]);
    const shown = [...text.matchAll(/\{\{\s*(?:\$labels\.)?(\w+)\s*\}\}/g)].map(([, label]) => label ?? "");
    for (const label of shown) expect([...kept]).toContain(label);
  });

  test("the page asks for series that there are", () => {
    const page = readFileSync("ui/src/views/system.tsx", "utf8");
    const asked = [...page.matchAll(/\b(?:value|rateOf)\("(tracejury_\w+)"/g)].map(([, name]) => name ?? "");
    expect(asked.length).toBeGreaterThan(3);
    for (const name of asked) expect([...series.keys()]).toContain(name);
  });
});

describe("deployments", () => {
  test("the container's configuration is valid", () => {
    const file = "docker/tracejury.yaml";
    const text = readFileSync(file, "utf8");
    const reader = { read: () => ({ ok: true, text, realPath: file }) as const };
    const loaded = loadConfig({ files: [file], set: [], env: {}, reader });
    expect(loaded.problems).toEqual([]);
    expect(loaded.ok).toBe(true);
  });

  test.each(["compose.yaml", "compose.gateway.yaml", "compose.kafka.yaml"])(
    "what %s sets beside its file is valid",
    (file) => {
      const { services } = parse(readFileSync(`docker/${file}`, "utf8"), { merge: true }) as {
        services: Record<string, { image: string; command?: string[] }>;
      };
      const ours = Object.values(services).filter(({ image }) => image === "tracejury");
      expect(ours.length).toBeGreaterThan(0);
      const text = readFileSync("docker/tracejury.yaml", "utf8");
      const reader = { read: () => ({ ok: true, text, realPath: "tracejury.yaml" }) as const };
      for (const { command = [] } of ours) {
        const set = command.flatMap((word) => (word.startsWith("--set=") ? [word.slice(6)] : []));
        expect(command).toContain("--config=/etc/tracejury/tracejury.yaml");
        expect(set.length).toBeGreaterThan(1);
        expect(loadConfig({ files: ["tracejury.yaml"], set, env: {}, reader })).toMatchObject({
          ok: true,
          problems: [],
        });
      }
    },
  );

  test("containers run without rights, on a root that cannot be written", () => {
    const dockerfile = readFileSync("docker/Dockerfile", "utf8");
    expect(dockerfile).toMatch(/^USER 65532/m);
    expect(dockerfile).toMatch(/^HEALTHCHECK /m);
    const { services } = parse(readFileSync("docker/compose.yaml", "utf8")) as {
      services: Record<string, Record<string, unknown>>;
    };
    expect(services["tracejury"]).toMatchObject({ read_only: true, cap_drop: ["ALL"] });
    const pod = JSON.stringify(parse(readFileSync("charts/tracejury/values.yaml", "utf8")));
    for (const part of [
      '"runAsNonRoot":true',
      '"readOnlyRootFilesystem":true',
      '"allowPrivilegeEscalation":false',
    ]) {
      expect(pod).toContain(part);
    }
  });
});
