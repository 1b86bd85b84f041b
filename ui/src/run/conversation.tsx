import { brief } from "../format.ts";
import { useState } from "../hooks.ts";
import type { MessageJson, RunJson } from "../types.ts";
import { Message, shownRole } from "./message.tsx";

const pageSize = 100;

/** The messages of a run in order. Long texts are folded, and at most a hundred messages are shown at once. */
export function Conversation({ run }: { run: RunJson }) {
  const [most, setMost] = useState(pageSize);
  const messages = run.messages.length > 0 ? run.messages : fromEnds(run);
  return (
    <section class="conversation" aria-label="Conversation">
      {run.system_instructions !== null && messages[0]?.role !== "system" && (
        <details>
          <summary>
            System instructions <span class="quiet">{brief(run.system_instructions, 100)}</span>
          </summary>
          <pre tabIndex={0}>{run.system_instructions}</pre>
        </details>
      )}
      {run.messages.length === 0 && (
        <p class="quiet">
          The telemetry contains no messages. The query and the answer are shown if they are known.
        </p>
      )}
      <ol>
        {messages.slice(0, most).map((message, at) => (
          <li key={at} class={`message ${shownRole(message)}`}>
            <Message message={message} place={at + 1} />
          </li>
        ))}
      </ol>
      {messages.length > most && (
        <p>
          <button type="button" onClick={() => setMost(most + pageSize)}>
            Show {Math.min(pageSize, messages.length - most)} more
          </button>{" "}
          <span class="quiet">{messages.length - most} messages are not shown</span>
        </p>
      )}
    </section>
  );
}

function fromEnds({ query, answer }: RunJson): readonly MessageJson[] {
  const said = (role: string, text: string | null): MessageJson[] =>
    text === null ? [] : [{ role, name: null, text, calls: [], results: [] }];
  return [...said("user", query), ...said("assistant", answer)];
}
