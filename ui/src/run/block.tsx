import { grouped } from "../../../src/evaluate/rules/text.ts";
import { brief, pretty } from "../format.ts";
import { CopyButton } from "../parts/copy.tsx";
import type { JsonValue } from "../types.ts";

/** A value that is folded if it is long or `isFolded` is set. */
export function Block({ name, value, isFolded }: { name: string; value: JsonValue; isFolded?: boolean }) {
  if (value === null) return <p class="quiet">{name}: unknown</p>;
  const text = pretty(value);
  const size = text.length > 200 ? `${grouped(text.length)} characters` : "";
  if (!(isFolded ?? text.length >= 1500)) {
    return (
      <div class="block">
        <h4>{name}</h4> <span class="quiet">{size}</span>
        <CopyButton text={text} />
        <pre tabIndex={0}>{text}</pre>
      </div>
    );
  }
  return (
    <details class="block">
      <summary>
        <h4>{name}</h4>{" "}
        <span class="quiet">
          {size} · {brief(text, 100)}
        </span>
      </summary>
      <pre tabIndex={0}>{text}</pre>
    </details>
  );
}
