import { brief } from "../format.ts";
import { withParameters } from "../route.ts";
import type { MessageJson, RunJson, StepJson } from "../types.ts";

const before = 3;
const after = 2;

/** The messages that contain the request and the result of a tool call, and some messages before and after these. */
export function MessagesAround({ run, step }: { run: RunJson; step: StepJson }) {
  const own = messagesOfStep(run, step);
  const first = own[0];
  const last = own.at(-1);
  if (first === undefined || last === undefined) return null;
  const from = Math.max(0, first - before);
  const shown = run.messages.slice(from, last + 1 + after);
  return (
    <div class="block">
      <h4>Messages around it</h4>{" "}
      <a href={withParameters({ tab: "conversation" })}>all {run.messages.length}</a>
      <ol class="around">
        {shown.map((message, at) => (
          <li key={from + at} class={own.includes(from + at) ? "own" : ""}>
            <span class="quiet">{message.role}</span>
            <span>{messageLine(message)}</span>
          </li>
        ))}
      </ol>
    </div>
  );
}

/** Returns the positions of the messages that contain the request and the result of a tool call; empty if they are unknown. */
function messagesOfStep(run: RunJson, { kind, index }: StepJson): readonly number[] {
  if (kind !== "tool") return [];
  const request = requestOf(run, index);
  return request === undefined ? [] : [request.at, ...answersTo(run.messages, request)];
}

/** A requested tool call: the position of its message, and its position in the message. */
interface Request {
  readonly at: number;
  readonly place: number;
  readonly id: string | null;
}

/**
 * Returns the request of a tool call. It is found by the call's id; without ids, by the tool's name and the number of earlier calls of the
 * tool.
 */
function requestOf(run: RunJson, index: number): Request | undefined {
  const tool = run.tools[index];
  const requests = run.messages.flatMap(({ calls }, at) =>
    calls.map(({ id, name }, place) => ({ at, place, id, name })),
  );
  const named = requests.find(({ id }) => id !== null && id === tool?.call_id);
  if (named !== undefined) return named;
  const before = run.tools.slice(0, index).filter(({ name }) => name === tool?.name).length;
  return requests.filter(({ name }) => name === tool?.name)[before];
}

/**
 * Returns the positions of the messages with the results of a request. Results refer to their call by id; without ids, results have the
 * same order as the calls.
 */
function answersTo(messages: readonly MessageJson[], { at, place, id }: Request): readonly number[] {
  if (id !== null)
    return messages.flatMap(({ results }, found) =>
      results.some(({ call_id }) => call_id === id) ? [found] : [],
    );
  const next = messages.findIndex(({ role }, found) => found > at && role === "assistant");
  const following = messages
    .slice(at + 1, next < 0 ? undefined : next)
    .flatMap(({ results }, further) => results.map(() => at + 1 + further));
  return following.slice(place, place + 1);
}

function messageLine({ text, calls, results }: MessageJson): string {
  const parts = [
    ...(text === null || text === "" ? [] : [brief(text, 200)]),
    ...calls.map((call) => `calls ${call.name}(${brief(call.arguments ?? "", 100)})`),
    ...results.map(({ content }) => brief(content ?? "", 200)),
  ];
  return parts.join(" · ");
}
