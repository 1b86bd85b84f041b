import { Writable } from "node:stream";
import { expect, test } from "vitest";
import { PullProgress } from "../../src/pull/pull-progress.ts";

class Captured extends Writable {
  text = "";
  readonly isTTY: boolean;

  constructor(isTTY: boolean) {
    super();
    this.isTTY = isTTY;
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

function pulling(isTTY: boolean): { readonly text: string } {
  let nowMs = 0;
  const stream = new Captured(isTTY);
  const progress = new PullProgress(stream, "tempo:http://t", () => nowMs);
  for (; nowMs <= 21_000; nowMs += 1000) progress.pulled({ spans: nowMs, traces: 1, files: 0 });
  progress.waiting("HTTP 429", 7000);
  progress.done();
  return stream;
}

test("a terminal has one line, which is taken away in the end", () => {
  const { text } = pulling(true);

  expect(text).not.toContain("\n");
  expect(text).toContain("\r\u001b[2Ktempo:http://t: 21,000 spans of 1 trace so far");
  expect(text.endsWith("HTTP 429, next request in 7 s\r\u001b[2K")).toBe(true);
});

test("without a terminal there is a line every ten seconds, and one for a wait", () => {
  expect(pulling(false).text.split("\n")).toEqual([
    "tempo:http://t: 10,000 spans of 1 trace so far",
    "tempo:http://t: 20,000 spans of 1 trace so far",
    "tempo:http://t: HTTP 429, next request in 7 s",
    "",
  ]);
});
