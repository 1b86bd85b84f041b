import { describe, expect, it } from "vitest";
import { readTracesJson } from "../../src/otlp/json/read-json.ts";
import { viewSpan } from "../../src/otlp/rows/span-view.ts";
import { document, span } from "../support/otlp.ts";

const key = "gen_ai.input.messages";

/** What is read of the texts of one key, each on a span of its own. */
function textsOf(texts: readonly string[], written = JSON.stringify): unknown[] {
  const spans = texts.map((text, at) =>
    span(
      String(at + 1),
      undefined,
      "chat",
      0,
      1,
      {},
      { attributes: [{ key, value: { stringValue: text } }] },
    ),
  );
  const result = readTracesJson(new TextEncoder().encode(written(document(spans))));
  if (!result.ok) throw new Error(`${result.message} at ${result.offset}`);
  return texts.map((_, at) => viewSpan(result.batch, at, []).named(key));
}

describe("long texts of one key in one document", () => {
  it("are what was written where every character is an escape", () => {
    const escaped = (value: unknown): string =>
      JSON.stringify(value).replaceAll("beginning", () =>
        Array.from("beginning", (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`).join(""),
      );
    const texts = [1, 2, 3].map((times) => "the beginning of it ".repeat(20 * times));
    expect(textsOf(texts, escaped)).toEqual(texts);
  });

  it("must be JSON behind what they repeat as well", () => {
    const long = "x".repeat(600);
    const good = JSON.stringify(
      document(
        [1, 2].map((at) =>
          span(
            String(at),
            undefined,
            "chat",
            0,
            1,
            {},
            { attributes: [{ key, value: { stringValue: `${long}-${at}` } }] },
          ),
        ),
      ),
    );
    const result = readTracesJson(new TextEncoder().encode(good.replace("-2", "\\q")));
    expect(result).toMatchObject({ ok: false, message: "an unknown escape in a string" });
  });
});
