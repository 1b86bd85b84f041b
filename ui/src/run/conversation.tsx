import { brief } from "../format.ts";
import type { MessageJson, RunJson } from "../types.ts";
import { Block } from "./step-detail.tsx";

const most = 200;

/** What was said, in order: a reader's view of the messages. */
export function Conversation({ run }: { run: RunJson }) {
  const messages = run.messages.length > 0 ? run.messages : fromEnds(run);
  return (
    <section class="conversation" aria-label="Conversation">
      {run.system_instructions !== null && (
        <details>
          <summary>
            System instructions <span class="quiet">{brief(run.system_instructions, 100)}</span>
          </summary>
          <pre tabIndex={0}>{run.system_instructions}</pre>
        </details>
      )}
      {run.messages.length === 0 && (
        <p class="quiet">
          The telemetry carries no messages; this is the query and the answer as far as they are known.
        </p>
      )}
      <ol>
        {messages.slice(0, most).map((message, at) => (
          <li key={at} class={`message ${message.role}`}>
            <Message message={message} />
          </li>
        ))}
      </ol>
      {messages.length > most && <p class="quiet">… and {messages.length - most} more messages</p>}
    </section>
  );
}

function fromEnds({ query, answer }: RunJson): readonly MessageJson[] {
  const said = (role: string, text: string | null): MessageJson[] =>
    text === null ? [] : [{ role, name: null, text, calls: [], results: [] }];
  return [...said("user", query), ...said("assistant", answer)];
}

function Message({ message }: { message: MessageJson }) {
  const { role, name, text, calls, results } = message;
  return (
    <>
      <h3>
        {role}
        {name !== null && <span class="quiet"> {name}</span>}
      </h3>
      {text !== null && text !== "" && <p class="text">{text}</p>}
      {calls.map((call, at) => (
        <Block key={at} name={`asks for ${call.name}`} value={call.arguments} />
      ))}
      {results.map((result, at) => (
        <Block
          key={at}
          name={`${result.name ?? "tool"} ${result.is_error === true ? "failed" : "answered"}`}
          value={result.content}
        />
      ))}
    </>
  );
}
