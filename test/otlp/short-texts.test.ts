import { expect, it } from "vitest";
import { decodeText } from "../../src/otlp/bytes/text.ts";

it("reads short texts as they are, however often they come and whatever came between", () => {
  const encoder = new TextEncoder();
  const texts = Array.from({ length: 20_000 }, (_, at) => `${at % 50 === 0 ? "naïve-" : "id-"}${at % 9000}`);
  const sent = [...texts, ...texts.toReversed()];
  const read = sent.map((text) => {
    const bytes = encoder.encode(text);
    return decodeText(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), 0, bytes.length);
  });
  expect(read).toEqual(sent);
});
