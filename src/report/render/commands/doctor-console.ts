import type { DoctorJson } from "../json/doctor-json.ts";
import { fillLines, TERMINAL_WIDTH } from "../terminal/fill-lines.ts";
import { counted, printable, type Theme } from "../terminal/printable.ts";

const MOST_PRODUCERS = 20;

type Evidence = DoctorJson["evidence"][string];
type Producer = DoctorJson["producers"][number];
type Instrumentation = DoctorJson["instrumentations"][number];

/**
 * Returns the console output of `doctor`: producers, captured evidence, checks that can be decided, and
 * settings to change.
 */
export function doctorConsole(diagnosis: DoctorJson, theme: Theme): string {
  if (diagnosis.runs === 0) {
    const seen = diagnosis.producers.length === 0 ? [] : ["", ...producers(diagnosis, theme)];
    return `${[...summary(diagnosis, theme), ...seen].join("\n")}\n`;
  }
  const lines = [
    ...summary(diagnosis, theme),
    "",
    ...producers(diagnosis, theme),
    "",
    "Evidence",
    ...Object.entries(diagnosis.evidence).map(([name, one]) => evidenceLine(name, one, theme)),
    ...diagnosis.limits.map(({ what, producer, why }) =>
      theme.dim(`  ${words(what)}: ${producer} cannot record this: ${why}`),
    ),
    ...withoutSetting(diagnosis, theme),
    ...missingEvidence(diagnosis, theme),
    ...diagnosis.specs.flatMap((spec) => specLines(spec, theme)),
  ];
  return `${lines.join("\n")}\n`;
}

function summary(diagnosis: DoctorJson, theme: Theme): readonly string[] {
  const { runs, traces, spans, log_records: logRecords, spans_cut: cutSpans } = diagnosis;
  const incomplete = runs - diagnosis.complete_runs;
  const logs = logRecords === 0 ? "" : `, ${counted(logRecords, "log record")}`;
  const lines = [
    `${counted(runs, "run")} in ${counted(traces, "trace")}, ${counted(spans, "span")}${logs}; ` +
      `${counted(diagnosis.tool_calls, "tool call")}, ${counted(diagnosis.handoffs, "hand-off")}`,
  ];
  if (incomplete > 0) {
    const uncounted =
      diagnosis.complete_runs > 0
        ? "; for a service that also has complete runs, their evidence is not counted"
        : "";
    lines.push(
      theme.unsure(
        `${counted(incomplete, "run")} ${incomplete === 1 ? "is" : "are"} not complete${uncounted}`,
      ),
    );
  }
  if (cutSpans > 0) {
    const fix =
      "raise OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT, OTEL_SPAN_EVENT_COUNT_LIMIT and OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT";
    const cause = "in the sender's SDK, or because they are too many or too large to be read";
    lines.push(
      theme.unsure(`${counted(cutSpans, "span")} lost attributes, events or links ${cause}: ${fix}`),
    );
  }
  return lines;
}

function producers(diagnosis: DoctorJson, theme: Theme): readonly string[] {
  const { producers: all } = diagnosis;
  const shown = all.slice(0, MOST_PRODUCERS).flatMap((one) => {
    const { sdk, spans, log_records: logRecords, dialects } = one;
    const title = titleOf(one);
    const details = [
      scopeText(one),
      printable(sdk ?? "", 60),
      spans === 0 && logRecords > 0 ? counted(logRecords, "log record") : counted(spans, "span"),
      dialects.join(" + "),
    ].filter((text) => text !== "");
    return titleWithDetails(`  ${title}`, details, theme);
  });
  const more = all.length - Math.min(all.length, MOST_PRODUCERS);
  return ["Instrumentation", ...shown, ...(more > 0 ? [theme.dim(`  and ${more} more`)] : [])];
}

/** Returns the title with its details on one line; if the line is too long, the details follow on indented lines. */
function titleWithDetails(title: string, details: readonly string[], theme: Theme): readonly string[] {
  const whole = `${title}  ${details.join(" · ")}`;
  if (Array.from(whole).length <= TERMINAL_WIDTH) return [`${title}  ${theme.dim(details.join(" · "))}`];
  const width = TERMINAL_WIDTH - 4;
  return [
    title,
    ...fillLines(details, " · ", { firstWidth: width, width }).map((line) => `    ${theme.dim(line)}`),
  ];
}

function scopeText({ scope, version }: Producer): string {
  return `${printable(scope, 80) || "(no scope)"} ${printable(version ?? "", 30)}`.trim();
}

function titleOf({ name, dialects, spans, log_records: logRecords }: Producer): string {
  if (name !== null) return name;
  if (dialects.length > 0) return "unknown producer, known dialect";
  return spans === 0 && logRecords > 0 ? "unknown producer" : "no agent telemetry";
}

const glyphs = { present: "✓", partial: "~", absent: "✗", not_seen: "·" } as const;

function evidenceLine(name: string, { have, of, unit, state }: Evidence, theme: Theme): string {
  const paint = { present: theme.good, partial: theme.unsure, absent: theme.bad, not_seen: theme.dim }[state];
  const amount = state === "not_seen" ? `no ${unit} found` : `${have} of ${counted(of, unit)}`;
  return `  ${paint(glyphs[state])} ${words(name).padEnd(20)} ${amount}`;
}

/**
 * Returns a line with the missing evidence that no known setting records. Empty if settings can record all
 * missing evidence.
 */
function withoutSetting({ evidence, advice: all, limits }: DoctorJson, theme: Theme): readonly string[] {
  const settable = new Set([...all.flatMap((one) => one.evidence), ...limits.map(({ what }) => what)]);
  const names = lacking(evidence).flatMap(([name]) => (settable.has(name) ? [] : [words(name)]));
  return names.length === 0 ? [] : [theme.dim(`  no known setting records: ${names.join(", ")}`)];
}

/**
 * Returns the missing evidence and the settings that record it. If there are several instrumentations, each
 * has its own lines.
 */
function missingEvidence({ instrumentations, advice: all }: DoctorJson, theme: Theme): readonly string[] {
  const rows = instrumentations.map((row) => ({ row, lost: evidenceLackedBy(row) }));
  const incomplete = rows.filter(({ lost }) => lost.length > 0);
  // If there are several instrumentations, evidence is listed for each of them. If all instrumentations lack only session ids, only the
  // advice on session ids is printed.
  if (rows.length < 2 || (incomplete.length === 0 && all.length > 0))
    return section("Switch on", advice(all, theme));
  const whole = rows.length - incomplete.length;
  return [
    ...section(
      "Missing evidence by service and instrumentation, with settings that record it",
      incomplete.flatMap(({ row, lost }) => instrumentationLines(row, lost, theme)),
    ),
    ...(whole === 0 ? [] : [theme.good(`  ${nothingMissing(whole, rows.length)}`)]),
  ];
}

function nothingMissing(whole: number, all: number): string {
  if (whole === all) return "no evidence is missing (session ids are optional)";
  return whole === 1
    ? "1 other instrumentation records all evidence (session ids are optional)"
    : `${whole} other instrumentations record all evidence (session ids are optional)`;
}

/**
 * Returns the evidence that an instrumentation lacks: rarest first, session ids last. Returns an empty list
 * if only session ids are missing, because few checks need them.
 */
function evidenceLackedBy({ evidence }: Instrumentation): readonly NamedEvidence[] {
  const rank = ([name, { have, of }]: NamedEvidence): number => (name === "session_ids" ? 2 : have / of);
  const lost = lacking(evidence);
  return lost.every(([name]) => name === "session_ids") ? [] : lost.toSorted((a, b) => rank(a) - rank(b));
}

type NamedEvidence = readonly [name: string, evidence: Evidence];

function lacking(evidence: DoctorJson["evidence"]): readonly NamedEvidence[] {
  return Object.entries(evidence).filter(([, { state }]) => state === "absent" || state === "partial");
}

function instrumentationLines(
  {
    service,
    runs,
    producers: seen,
    advice: settings,
    limits,
    other_versions: otherVersions,
  }: Instrumentation,
  lost: readonly NamedEvidence[],
  theme: Theme,
): readonly string[] {
  const title = service === null ? "(no service name)" : printable(service, 60);
  const names = new Set(seen.map(({ name }) => name ?? "unknown producer"));
  const scopes = new Set(seen.map(scopeText));
  const counts = lost.map(([name, { have, of, unit, state }]) => {
    const paint = name === "session_ids" ? theme.dim : state === "absent" ? theme.bad : theme.unsure;
    const note = name === "session_ids" ? " (optional)" : "";
    return { paint, text: `${words(name)} in ${of - have} of ${counted(of, unit)}${note}` };
  });
  const paintOf = new Map(counts.map(({ text, paint }) => [text, paint]));
  const width = TERMINAL_WIDTH - "    missing: ".length;
  const missing = fillLines(
    counts.map(({ text }) => text),
    " · ",
    { firstWidth: width, width },
  ).map((line) =>
    line
      .split(" · ")
      .map((text) => (paintOf.get(text) ?? theme.dim)(text))
      .join(" · "),
  );
  const unsettable = limits.filter(({ what }) => !settings.some(({ evidence }) => evidence.includes(what)));
  return [
    ...titleWithDetails(
      `  ${title} · ${[...names].join(" + ") || "unknown instrumentation"}`,
      [counted(runs, "run"), ...scopes],
      theme,
    ),
    ...missing.map((line, at) => (at === 0 ? "    missing: " : "             ") + line),
    ...[...new Set(otherVersions.map(({ version }) => version))].map((version) => {
      const shown = otherVersions.filter((one) => one.version === version);
      const texts = shown.map(({ evidence, have, of }) => `${words(evidence)} in ${have} of ${of}`);
      return theme.dim(`    version ${printable(version, 30)} shows ${texts.join(", ")}`);
    }),
    ...settings.flatMap(({ evidence, set, page }) => [
      `    → ${theme.hint(set)}`,
      theme.dim(`      for ${evidence.map(words).join(", ")}; ${page}`),
    ]),
    ...unsettable.map(({ what, why }) => theme.dim(`    ${words(what)}: no setting records this: ${why}`)),
  ];
}

function advice(list: DoctorJson["advice"], theme: Theme): readonly string[] {
  return list.flatMap(({ evidence, producer, set, page }) => [
    `  ${evidence.map(words).join(", ")}`,
    `    ${theme.hint(set)}`,
    theme.dim(`    ${producer}, ${page}`),
  ]);
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ["", title, ...lines];
}

const supports = {
  supported: { colour: "good", text: "✓ supported" },
  partly: { colour: "unsure", text: "~ in part" },
  unsupported: { colour: "bad", text: "✗ not supported" },
  not_seen: { colour: "dim", text: "· no run could have this evidence yet" },
  needs_reference: { colour: "dim", text: "· needs a baseline to compare with" },
} as const;

function specLines({ file, runs, checks }: DoctorJson["specs"][number], theme: Theme): readonly string[] {
  const lines = checks.flatMap((check) => {
    const { support, missing, decided, asked } = check;
    const { colour, text } = supports[support];
    const notes = [
      support === "partly" ? `decided ${decided} of ${asked} times` : "",
      missing.length > 0 ? `missing: ${missing.map(words).join(", ")}` : "",
      check.judge ? "also needs a judge" : "",
    ].filter((note) => note !== "");
    const head = `  ${theme[colour](text)}  ${check.layer}.${check.check}`;
    const fixes = check.advice.map(({ set }) => set);
    const remedies = fixes.length > 0 || check.remedy === null ? fixes : [check.remedy];
    return [
      notes.length === 0 ? head : `${head}  ${theme.dim(notes.join("; "))}`,
      ...(support === "supported" ? [] : remedies.map((remedy) => `      ${theme.hint(remedy)}`)),
    ];
  });
  return ["", `Checks of ${printable(file, 100)} (${counted(runs, "run")} examined)`, ...lines];
}

function words(name: string): string {
  return name.replaceAll("_", " ");
}
