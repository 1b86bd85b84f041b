import { printReport } from "../../../../replay/reports/print-report.ts";
import { MisspeltTools } from "../../../../authoring/doctor/misspelt-tools.ts";
import { DialectProposer, type ProposedDialect } from "../../../../authoring/doctor/propose-dialect.ts";
import type { Config } from "../../../../config/config.ts";
import { Doctor } from "../../../../authoring/doctor/diagnosis.ts";
import {
  beginningOf,
  sumByBeginning,
  type TraceBeginning,
} from "../../../../pipeline/lifecycle/trace-beginning.ts";
import { Survey } from "../../../../authoring/doctor/survey.ts";
import { doctorConsole } from "../../../../report/render/commands/doctor-console.ts";
import { doctorJson, type DoctorJson, doctorSchema } from "../../../../report/render/json/doctor-json.ts";
import { adaptersWith } from "../../../../replay/engine.ts";
import { replay, replayIo, writeInvalid } from "../../../../replay/replay.ts";
import { documentBounds, parseJson } from "../../../../model/json.ts";
import { ExitCode, type Io, UserError, write } from "../../../../support/process/io.ts";
import { type ConfigFlags, loadSettings, loadSpecs } from "../../../../config/command-settings.ts";
import { askCollector } from "../../../../replay/reports/ask-collector.ts";
import { isCollectorAddress } from "../../../../replay/reports/collector-address.ts";
import { counted, printable } from "../../../../report/render/terminal/printable.ts";
import { stringify } from "yaml";
import { z } from "zod";
import { agentlessText, type AgentlessSpans } from "../../../../report/render/commands/first-steps.ts";
import { writtenField } from "../../../../config/schema/dialects.ts";

interface RemoteDiagnosis {
  /** The diagnosis in JSON, as the collector sent it. */
  readonly json: string;
  readonly diagnosis: DoctorJson;
}

/** Maximum number of inferred fields that are listed for an instrumentation scope. */
const MOST_INFERRED = 6;
/** Maximum number of traces whose first span is retained. */
const MOST_BEGUN = 10_000;

export interface DoctorOptions extends ConfigFlags {
  readonly spec: readonly string[];
  readonly format: "console" | "json";
  /** Whether to print a draft of `dialects` for the configuration instead of the diagnosis. */
  readonly proposeDialect?: boolean;
}

/**
 * Prints which evidence the telemetry contains, and which evidence is missing. Returns exit code 2 if there is no run, if input is
 * unreadable, if the evidence for a check of the spec is missing, or if `--propose-dialect` has no proposal. Otherwise returns 0.
 */
export async function doctor(dumps: readonly string[], options: DoctorOptions, io: Io): Promise<ExitCode> {
  // With `--spec` or `--propose-dialect`, the telemetry of a collector is downloaded and read like a dump.
  const isAboutInput = options.spec.length > 0 || options.proposeDialect === true;
  if (!isAboutInput && dumps.some(isCollectorAddress)) return await doctorOfCollector(dumps, options, io);
  const { config } = await loadSettings(options, io);
  if (options.proposeDialect === true) return await proposeDialect(dumps, config, io);
  const specs = options.spec.length === 0 ? [] : await loadSpecs(options.spec, io, config);
  const survey = new Survey(adaptersWith(config.dialects));
  const physician = new Doctor(survey);
  const misspelt = new MisspeltTools();
  const queries = specs.flatMap((spec) => spec.queries);
  const proposer = new DialectProposer(adaptersWith(config.dialects));
  // First spans of the traces, to describe input that contains no run.
  const begun: { readonly beginning: TraceBeginning; readonly spans: number }[] = [];
  const { invalid } = await replay(dumps, {
    config,
    ...replayIo(io),
    onTrace: (trace) => {
      survey.add(trace);
      proposer.add(trace);
      const [first] = trace.spans;
      if (first !== undefined && begun.length < MOST_BEGUN)
        begun.push({ beginning: beginningOf(first), spans: trace.spans.length });
    },
    onRun: (run) => {
      physician.add(run);
      misspelt.add(run, queries);
    },
  });
  const diagnosis = doctorJson(physician.diagnose(specs));
  await printReport(io, options.format, {
    json: () => diagnosis,
    console: (theme) => doctorConsole(diagnosis, theme) + undeclared(proposer.proposals(), dumps),
  });
  await writeInvalid(io, invalid);
  for (const line of misspelt.warnings()) await write(io.stderr, `warning: ${line}\n`);
  if (diagnosis.runs === 0) {
    await write(io.stderr, "no agent run in the input\n");
    if (invalid.length === 0 || diagnosis.spans > 0)
      await write(io.stderr, whatCame(diagnosis, begun, dumps));
  }
  return invalid.length > 0 || !isEnough(diagnosis) ? ExitCode.undecided : ExitCode.passed;
}

/**
 * Returns a section about spans whose attributes no dialect declares, with the fields that were inferred from these attributes. Returns an
 * empty text if there are no such spans.
 */
function undeclared(proposals: readonly ProposedDialect[], dumps: readonly string[]): string {
  if (proposals.length === 0) return "";
  const lines = proposals.map(({ scope, spans, fields }) => {
    const found = Array.from(fields, ([field, attributes]) => `${field} ← ${attributes[0] ?? ""}`);
    const shown = found.slice(0, MOST_INFERRED).join(", ") + (found.length > MOST_INFERRED ? ", …" : "");
    return `  ${printable(scope, 80) || "(no scope)"}: ${counted(spans, "span")}${shown === "" ? "" : `: ${printable(shown, 300)}`}`;
  });
  const command = `tracejury doctor ${dumps.join(" ")} --propose-dialect`;
  return [
    "",
    "Attributes that no dialect declares; their meaning is inferred",
    ...lines,
    `  draft a dialect: ${command}`,
    "",
  ].join("\n");
}

/** Describes a dump without runs, and suggests the next step. */
function whatCame(
  { spans }: Pick<DoctorJson, "spans">,
  begun: readonly { readonly beginning: TraceBeginning; readonly spans: number }[],
  dumps: readonly string[],
): string {
  const next = `run the agent again; or, if these are the agent's own spans, draft a dialect: tracejury doctor ${dumps.join(" ")} --propose-dialect`;
  if (spans > 0) return `${agentlessText(sumByBeginning(begun), next, false)}\n`;
  return "the input has no span and no log record of an agent: export the agent's traces (OTEL_TRACES_EXPORTER=otlp)\n";
}

/**
 * Prints drafts of dialects for spans whose attributes no dialect declares. Returns exit code 2 if there is no draft, or if input is
 * unreadable.
 */
async function proposeDialect(dumps: readonly string[], config: Config, io: Io): Promise<ExitCode> {
  const proposer = new DialectProposer(adaptersWith(config.dialects));
  const { invalid } = await replay(dumps, {
    config,
    ...replayIo(io),
    onTrace: (trace) => proposer.add(trace),
    onRun: () => undefined,
  });
  const proposals = proposer.proposals();
  if (proposals.length > 0) await write(io.stdout, dialectDraft(proposals));
  else
    await write(
      io.stderr,
      "no dialect can be proposed: no span has attributes of an agent that no dialect declares\n",
    );
  await writeInvalid(io, invalid);
  return invalid.length > 0 || proposals.length === 0 ? ExitCode.undecided : ExitCode.passed;
}

/** Prints the diagnosis that a running collector makes of its stored telemetry and its specs. */
async function doctorOfCollector(urls: readonly string[], options: DoctorOptions, io: Io): Promise<ExitCode> {
  const [url] = urls;
  if (url === undefined || urls.length > 1)
    throw new UserError(
      "without --spec, a collector's address cannot be combined with other dumps",
      "run doctor on dumps separately",
    );
  const { json, diagnosis } = await doctorOf(url, io.env["TRACEJURY_TOKEN"]);
  await printReport(io, options.format, {
    json: () => `${json.trim()}\n`,
    console: (theme) => doctorConsole(diagnosis, theme),
  });
  if (diagnosis.runs === 0) {
    await write(io.stderr, "the collector has no run yet\n");
    const groups = await agentlessSpansOf(url, io.env["TRACEJURY_TOKEN"]);
    if (groups.length > 0) await write(io.stderr, `${agentlessText(groups, AGENTLESS_NEXT, true)}\n`);
  }
  return isEnough(diagnosis) ? ExitCode.passed : ExitCode.undecided;
}

function isEnough({ runs, specs }: Pick<DoctorJson, "runs" | "specs">): boolean {
  const checks = specs.flatMap((spec) => spec.checks);
  return runs > 0 && !checks.some(({ support }) => support === "unsupported" || support === "partly");
}

/**
 * Requests the diagnosis from the admin port of a running collector.
 * @throws UserError if no server responds, or if the server is not a collector
 */
async function doctorOf(url: string, token: string | undefined): Promise<RemoteDiagnosis> {
  return askCollector({ url, token, what: "a collector's admin port" }, async ({ text }) => {
    const json = await text("/api/v1/doctor");
    return { json, diagnosis: doctorSchema.parse(parseJson(json, documentBounds)) };
  });
}

/** Next step for spans whose attributes no dialect declares. */
const AGENTLESS_NEXT =
  "run the agent again; or, if these are the agent's own spans, save them and draft a dialect: tracejury doctor DUMP --propose-dialect";

const agentlessStatus = z.object({
  spans_without_agent: z
    .array(
      z.object({ service: z.string().nullable(), kind: z.string(), scope: z.string(), spans: z.number() }),
    )
    .default([]),
});

/** Requests the spans without an agent that a running collector has received. */
function agentlessSpansOf(url: string, token: string | undefined): Promise<readonly AgentlessSpans[]> {
  return askCollector({ url, token, what: "a collector's admin port" }, async ({ json }) => {
    const status = await json("/api/v1/status", agentlessStatus);
    return status.spans_without_agent;
  });
}

/** Returns the drafts as a section of the configuration. Comments mark what the user must decide. */
function dialectDraft(proposals: readonly ProposedDialect[]): string {
  const remarks = proposals.flatMap(({ name, scope, spans, untold }) => [
    `${name}: ${spans} ${spans === 1 ? "span" : "spans"} of scope "${scope}"`,
    ...Array.from(
      untold,
      ([attribute, values]) => `  ${attribute} has other values, too: ${values.join(", ")}`,
    ),
  ]);
  const header = [
    "A draft, inferred from names and values. Keep the right parts, and check the runs again:",
    "tracejury inspect DUMP --explain --config THIS_FILE",
    ...remarks,
  ];
  return `${header.map((line) => `# ${line}\n`).join("")}${stringify({ dialects: proposals.map(written) })}`;
}

function written({ name, scope, marker, roles, fields }: ProposedDialect): object {
  return {
    name,
    ...(marker === null ? {} : { markers: [marker] }),
    ...(scope === "" ? {} : { scopes: [scope] }),
    ...(roles.size === 0
      ? {}
      : { roles: Object.fromEntries(Array.from(roles, ([at, values]) => [at, Object.fromEntries(values)])) }),
    fields: Object.fromEntries(
      Array.from(fields, ([field, attributes]) => [writtenField(field), attributes]),
    ),
  };
}
