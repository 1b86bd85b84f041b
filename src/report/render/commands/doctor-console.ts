import type {
  Advice,
  Diagnosis,
  ServiceDiagnosis,
  SpecSupport,
} from "../../../authoring/doctor/diagnosis.ts";
import type { EvidenceCount } from "../../../authoring/doctor/evidence.ts";
import type { SeenProducer } from "../../../authoring/doctor/survey.ts";
import { counted, printable } from "../terminal/printable.ts";
import type { Theme } from "../terminal/theme.ts";

const MOST_PRODUCERS = 20;

/** The part of a diagnosis that is shown: what another process wrote down is enough. */
export interface ShownDiagnosis extends Omit<Diagnosis, "producers" | "services"> {
  readonly producers: readonly (Omit<SeenProducer, "known"> & {
    readonly known: { readonly name: string } | undefined;
  })[];
  readonly services: readonly Pick<ServiceDiagnosis, "service" | "runs" | "evidence">[];
}

/** `doctor` for people: who wrote this, what is in it, which checks it can carry, and what to switch on. */
export function doctorConsole(diagnosis: ShownDiagnosis, theme: Theme): string {
  const lines = [
    ...summary(diagnosis, theme),
    "",
    ...producers(diagnosis, theme),
    "",
    "Evidence",
    ...diagnosis.evidence.map((one) => evidenceLine(one, theme)),
    ...diagnosis.limits.map(({ what, producer, why }) =>
      theme.dim(`  ${words(what)}: not from ${producer}: ${why}`),
    ),
    ...section("Lost by service, most first", losses(diagnosis, theme)),
    ...section("Switch on", advice(diagnosis.advice, theme)),
    ...diagnosis.specs.flatMap((spec) => specLines(spec, theme)),
  ];
  return `${lines.join("\n")}\n`;
}

function summary(diagnosis: ShownDiagnosis, theme: Theme): readonly string[] {
  const { runs, completeRuns, traces, spans, logRecords, toolCalls, handoffs, cutSpans } = diagnosis;
  const logs = logRecords === 0 ? "" : `, ${counted(logRecords, "log record")}`;
  const lines = [
    `${counted(runs, "run")} in ${counted(traces, "trace")}, ${counted(spans, "span")}${logs}; ` +
      `${counted(toolCalls, "tool call")}, ${counted(handoffs, "hand-off")}`,
  ];
  if (completeRuns < runs) lines.push(theme.unsure(`${counted(runs - completeRuns, "run")} not complete`));
  if (cutSpans > 0) {
    const fix = "raise OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT and OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT";
    lines.push(theme.unsure(`${counted(cutSpans, "span")} lost attributes in the sender's SDK: ${fix}`));
  }
  return lines;
}

function producers(diagnosis: ShownDiagnosis, theme: Theme): readonly string[] {
  const { producers: all } = diagnosis;
  const shown = all.slice(0, MOST_PRODUCERS).map(({ scope, version, sdk, spans, dialects, known }) => {
    const title = known?.name ?? (dialects.length === 0 ? "no agent telemetry" : "not known by name");
    const details = [
      `${printable(scope, 80) || "(no scope)"} ${printable(version, 30)}`.trim(),
      printable(sdk, 60),
      counted(spans, "span"),
      dialects.join(" + "),
    ].filter((text) => text !== "");
    return `  ${title}  ${theme.dim(details.join(" · "))}`;
  });
  const more = all.length - shown.length;
  return ["Instrumentation", ...shown, ...(more > 0 ? [theme.dim(`  and ${more} more`)] : [])];
}

const glyphs = { present: "✓", partial: "~", absent: "✗", not_seen: "·" } as const;

function evidenceLine({ name, have, of, unit, state }: EvidenceCount, theme: Theme): string {
  const paint = { present: theme.good, partial: theme.unsure, absent: theme.bad, not_seen: theme.dim }[state];
  const said = state === "not_seen" ? `no ${unit} to have it` : `${have} of ${counted(of, unit)}`;
  return `  ${paint(glyphs[state])} ${words(name).padEnd(20)} ${said}`;
}

/** What each service does not carry, where there are several. */
function losses({ services }: ShownDiagnosis, theme: Theme): readonly string[] {
  if (services.length < 2) return [];
  const shown = services.slice(0, MOST_PRODUCERS).map(({ service, runs, evidence }) => {
    const lost = evidence
      .filter(({ state }) => state === "absent" || state === "partial")
      .map(({ name, have, of, unit }) => `${words(name)} ${have} of ${counted(of, unit)}`);
    const name = service === null ? "(no service name)" : printable(service, 60);
    const text = lost.length === 0 ? theme.good("nothing") : lost.join(" · ");
    return `  ${name} ${theme.dim(counted(runs, "run"))}  ${text}`;
  });
  const more = services.length - shown.length;
  return [...shown, ...(more > 0 ? [theme.dim(`  and ${more} more`)] : [])];
}

function advice(list: readonly Advice[], theme: Theme): readonly string[] {
  return list.flatMap(({ evidence, producer, set, page }) => [
    `  ${evidence.map(words).join(", ")}`,
    `    ${theme.hint(set)}`,
    theme.dim(`    ${producer}, ${page}`),
  ]);
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ["", title, ...lines];
}

const supportWords = {
  supported: "supported",
  partly: "in part",
  unsupported: "not supported",
  not_seen: "not seen yet",
  needs_reference: "needs a baseline to compare with",
} as const;

function specLines({ file, runs, checks }: SpecSupport, theme: Theme): readonly string[] {
  const lines = checks.flatMap((check) => {
    const { support, missing, decided, asked } = check;
    const paint = {
      supported: theme.good,
      partly: theme.unsure,
      unsupported: theme.bad,
      not_seen: theme.dim,
      needs_reference: theme.dim,
    }[support];
    const glyph = { supported: "✓", partly: "~", unsupported: "✗", not_seen: "·", needs_reference: "·" }[
      support
    ];
    const notes = [
      support === "partly" ? `decided ${decided} of ${asked} times` : "",
      missing.length > 0 ? `missing: ${missing.map(words).join(", ")}` : "",
      check.judge ? "also needs a judge" : "",
    ].filter((note) => note !== "");
    const head = `  ${paint(`${glyph} ${supportWords[support]}`)}  ${check.layer}.${check.check}`;
    const fixes = check.advice.map(({ set }) => set);
    const remedies = fixes.length > 0 || check.remedy === null ? fixes : [check.remedy];
    return [
      notes.length === 0 ? head : `${head}  ${theme.dim(notes.join("; "))}`,
      ...(support === "supported" ? [] : remedies.map((text) => `      ${theme.hint(text)}`)),
    ];
  });
  return ["", `Checks of ${printable(file, 100)} (${counted(runs, "run")} looked at)`, ...lines];
}

function words(name: string): string {
  return name.replaceAll("_", " ");
}
