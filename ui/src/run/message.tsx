import { grouped } from "../../../src/evaluate/rules/text.ts";
import { useState } from "../hooks.ts";
import type { MessageJson } from "../types.ts";
import { Block } from "./block.tsx";

const longest = 1_200;

/** Returns the role to show for a message: `tool` for tool results, which some producers record with the role of the user. */
export function shownRole({ role, text, calls, results }: MessageJson): string {
  const hasOnlyResults = results.length > 0 && calls.length === 0 && (text ?? "") === "";
  return hasOnlyResults ? "tool" : role;
}

/** A message: its text, requested tool calls, and tool results. */
export function Message({ message, place }: { message: MessageJson; place?: number }) {
  const { name, text, calls, results } = message;
  const role = shownRole(message);
  return (
    <>
      <h3>
        {role}
        {name !== null && <span class="quiet"> {name}</span>}{" "}
        {place !== undefined && <span class="quiet num">{place}</span>}
      </h3>
      {text !== null && text !== "" && <LongText text={text} />}
      {calls.map((call, at) => (
        <Block key={at} name={`calls ${call.name}`} value={call.arguments} />
      ))}
      {results.map((result, at) => (
        <Block
          key={at}
          name={`${result.name ?? "tool"} ${result.is_error === true ? "failed" : "returned"}`}
          value={result.content}
        />
      ))}
    </>
  );
}

function LongText({ text }: { text: string }) {
  const [isWhole, setWhole] = useState(false);
  if (text.length <= longest) return <p class="text">{text}</p>;
  return (
    <>
      <p class="text">{isWhole ? text : `${text.slice(0, longest)}…`}</p>
      <button type="button" class="plain" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
        {isWhole ? "less" : `all ${grouped(text.length)} characters`}
      </button>
    </>
  );
}
