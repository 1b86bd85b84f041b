import { counted, moment, money, number, time } from "../format.ts";
import type { JsonValue, RunJson, SpanJson } from "../types.ts";
import { Block } from "./block.tsx";
import { KindBadge } from "./kind-badge.tsx";
import { MessagesAround } from "./messages-around.tsx";
import { ModelMessages } from "./model-messages.tsx";
import type { Row } from "./rows.ts";
import { chooseStep, type Steps } from "./steps.ts";

interface StepDetailProps {
  readonly run: RunJson;
  readonly steps: Steps;
  readonly spans: readonly SpanJson[];
}

/** Details of the open step: input, output, messages around it, and its span with all attributes. */
export function StepDetail({ run, steps, spans }: StepDetailProps) {
  const { chosen: row, lit, rows } = steps;
  if (row === undefined) return null;
  const span = spans.find(({ span_id }) => span_id === row.spanId);
  const evidence = lit.indexOf(row);
  return (
    <section class="detail" aria-label={`${row.kind} ${row.name}`}>
      <header>
        <h3>
          <KindBadge kind={row.kind} /> {rows.indexOf(row)} · {row.name}
        </h3>
        <button type="button" class="plain close" aria-label="Hide this step" onClick={() => chooseStep("")}>
          ✕
        </button>
      </header>
      <div class="detail-line quiet">
        <span>{timeWords(run, row)}</span>
        {evidence >= 0 && (
          <span class="evidence-steps">
            evidence {evidence + 1} of {lit.length}
            <EvidenceStep to={lit[evidence - 1]} label="Previous evidence" keyName="p" sign="‹" />
            <EvidenceStep to={lit[evidence + 1]} label="Next evidence" keyName="n" sign="›" />
          </span>
        )}
      </div>
      {row.error !== null && <p class="notice bad">{row.error}</p>}
      {row.kind === "run" ? <WholeRun run={run} /> : <StepFacts run={run} row={row} />}
      {row.step !== null && row.step.kind !== "model" && <MessagesAround run={run} step={row.step} />}
      {span === undefined ? <WithoutSpan spanId={row.spanId} /> : <SpanFacts span={span} />}
    </section>
  );
}

/** Explains why a step has no attributes. If it has no span, it was read from messages; otherwise its span is not stored. */
function WithoutSpan({ spanId }: { spanId: string | null }) {
  if (spanId === null)
    return <p class="quiet">This step has no span. It was read from the messages of a model call.</p>;
  return (
    <p class="quiet">
      Span {spanId}. Its attributes are not stored: set <code>store.mode: sqlite</code> and{" "}
      <code>store.telemetry: true</code> to store them.
    </p>
  );
}

interface EvidenceStepProps {
  readonly to: Row | undefined;
  readonly label: string;
  readonly keyName: string;
  readonly sign: string;
}

function EvidenceStep({ to, label, keyName, sign }: EvidenceStepProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={`${label} (${keyName})`}
      data-key={keyName}
      disabled={to === undefined}
      onClick={() => to !== undefined && chooseStep(to.key)}
    >
      {sign}
    </button>
  );
}

/** Returns a text such as `9 ms, began at 151 ms`. */
function timeWords(run: RunJson, { startUnixMs, durationMs }: Row): string {
  if (startUnixMs === null) return "◇ no time was recorded";
  const began = `began at ${time(Math.max(0, startUnixMs - run.start_unix_ms))}`;
  return durationMs === null ? began : `${time(durationMs)}, ${began}`;
}

function WholeRun({ run }: { run: RunJson }) {
  return (
    <>
      <Block name="query" value={run.query} />
      <Block name="answer" value={run.answer} />
      {run.system_instructions !== null && (
        <Block name="system instructions" value={run.system_instructions} isFolded />
      )}
    </>
  );
}

function StepFacts({ run, row }: { run: RunJson; row: Row }) {
  const index = row.step?.index ?? -1;
  switch (row.step?.kind) {
    case "tool": {
      const call = run.tools[index];
      if (call === undefined) return null;
      return (
        <>
          <Block name="arguments" value={call.arguments} />
          <Block name="result" value={call.result} />
          {call.executed === false && <p>The model requested this call, but it was not executed.</p>}
          {call.retried && <p>The same call was tried again.</p>}
        </>
      );
    }
    case "model": {
      const call = run.llm[index];
      if (call === undefined) return null;
      return (
        <>
          <ModelMessages run={run} index={index} spanId={row.spanId} />
          <Facts
            facts={[
              ["model", call.response_model ?? call.model],
              ["input tokens", number(call.input_tokens)],
              ["of these cached", number(call.cached_tokens)],
              ["output tokens", number(call.output_tokens)],
              ["of these reasoning", number(call.reasoning_tokens)],
              ["cost", money(call.cost_usd)],
              ["finish reason", call.finish_reason],
            ]}
          />
        </>
      );
    }
    case "handoff": {
      const handoff = run.handoffs[index];
      if (handoff === undefined) return null;
      return (
        <Facts
          facts={[
            ["from", handoff.from],
            ["to", handoff.to],
            ["seen as", handoff.kind],
            ["inferred", handoff.inferred ? "yes" : "no"],
          ]}
        />
      );
    }
    case "retrieval": {
      const retrieval = run.retrievals[index];
      return (
        <>
          <Block name="query" value={retrieval?.query ?? null} />
          {retrieval?.documents.map((document, at) => (
            <Block
              key={at}
              name={`${document.id ?? `document ${at + 1}`}${document.score === null ? "" : `, score ${number(document.score, 3)}`}`}
              value={document.content}
            />
          ))}
        </>
      );
    }
    case "guardrail": {
      const triggered = run.guardrails[index]?.triggered ?? null;
      return <Facts facts={[["triggered", triggered === null ? null : triggered ? "yes" : "no"]]} />;
    }
    case undefined:
      return null;
  }
}

export function Facts({ facts }: { facts: readonly (readonly [name: string, value: string | null])[] }) {
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value ?? "–"}</dd>
        </div>
      ))}
    </dl>
  );
}

function SpanFacts({ span }: { span: SpanJson }) {
  return (
    <details>
      <summary>
        Span <code>{span.name}</code> with {counted(Object.keys(span.attributes).length, "attribute")}
      </summary>
      <Facts
        facts={[
          ["span id", span.span_id],
          ["parent", span.parent_span_id],
          ["trace id", span.trace_id],
          ["began", moment(span.start_unix_ms)],
          ["took", time(span.duration_ms)],
          ["status", `${span.status}${span.status_message === "" ? "" : `: ${span.status_message}`}`],
          ["scope", `${span.scope.name} ${span.scope.version}`],
        ]}
      />
      <Attributes title="attributes" of={span.attributes} />
      <Attributes title="resource" of={span.resource} />
      {span.events.map((event, at) => (
        <Attributes key={at} title={`event ${event.name}`} of={event.attributes} />
      ))}
      {span.logs.map((log, at) => (
        <Attributes
          key={at}
          title={`log record ${log.event_name ?? ""}`}
          of={{ ...log.attributes, body: log.body }}
        />
      ))}
    </details>
  );
}

function Attributes({ title, of }: { title: string; of: Readonly<Record<string, JsonValue>> }) {
  const entries = Object.entries(of);
  if (entries.length === 0) return null;
  return (
    <table class="attributes">
      <caption>{title}</caption>
      <tbody>
        {entries.map(([key, value]) => (
          <tr key={key}>
            <th scope="row">{key}</th>
            <td>
              <pre>{typeof value === "string" ? value : JSON.stringify(value)}</pre>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
