import { brief, moment, money, number, pretty, time } from "../format.ts";
import type { JsonValue, RunJson, SpanJson } from "../types.ts";
import type { Row } from "./rows.ts";

/** What is known of a step: what went in and out, and its span with all attributes. */
export function StepDetail({ run, row, spans }: { run: RunJson; row: Row; spans: readonly SpanJson[] }) {
  const span = spans.find(({ span_id }) => span_id === row.spanId);
  return (
    <section class="detail" aria-label={`${row.kind} ${row.name}`}>
      <h3>
        <span class="kind">{row.kind}</span> {row.name}
      </h3>
      {row.error !== null && <p class="notice bad">{row.error}</p>}
      <StepFacts run={run} row={row} />
      {span === undefined ? (
        <p class="quiet">
          Span {row.spanId ?? "unknown"}. Its attributes are not kept: set <code>store.mode: sqlite</code> and{" "}
          <code>store.telemetry: true</code> to keep them.
        </p>
      ) : (
        <SpanFacts span={span} />
      )}
    </section>
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
          {call.executed === false && <p>The model asked for this call; nobody ran it.</p>}
          {call.retried && <p>The same call was tried again.</p>}
        </>
      );
    }
    case "model": {
      const call = run.llm[index];
      if (call === undefined) return null;
      return (
        <Facts
          facts={[
            ["model", call.response_model ?? call.model],
            ["input tokens", number(call.input_tokens)],
            ["of these cached", number(call.cached_tokens)],
            ["output tokens", number(call.output_tokens)],
            ["of these reasoning", number(call.reasoning_tokens)],
            ["cost", money(call.cost_usd)],
            ["finished because", call.finish_reason],
          ]}
        />
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

/** A value that may be long: folded when it is. */
export function Block({ name, value }: { name: string; value: JsonValue }) {
  if (value === null) return <p class="quiet">{name}: unknown</p>;
  const text = pretty(value);
  if (text.length < 600) {
    return (
      <div class="block">
        <h4>{name}</h4>
        <pre tabIndex={0}>{text}</pre>
      </div>
    );
  }
  return (
    <details class="block">
      <summary>
        <h4>{name}</h4> <span class="quiet">{brief(text, 100)}</span>
      </summary>
      <pre tabIndex={0}>{text}</pre>
    </details>
  );
}

function SpanFacts({ span }: { span: SpanJson }) {
  return (
    <details>
      <summary>
        Span <code>{span.name}</code> with {Object.keys(span.attributes).length} attributes
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
