import { expect, test } from "vitest";
import { AssemblingLine } from "../../src/collector/terminal/assembling-line.ts";

const ERASED = "\r\u001b[2K";

/** The lines that a terminal shows after these outputs. */
function screenAfter(outputs: readonly string[]): readonly string[] {
  const lines = [""];
  for (const part of outputs.join("").split(new RegExp(`(\n|${ERASED.replace("[", "\\[")})`))) {
    if (part === "\n") lines.push("");
    else if (part === ERASED) lines[lines.length - 1] = "";
    else lines[lines.length - 1] += part;
  }
  return lines;
}

const three = "assembling… 3 open traces";

test.each<[string, (line: AssemblingLine) => void, readonly string[]]>([
  ["no run is open", (line) => line.write("a\n"), ["a", ""]],
  [
    "runs are open",
    (line) => (line.show(3), line.write("a\n"), line.write("b\nc\n")),
    ["a", "b", "c", three],
  ],
  ["the last run closed", (line) => (line.show(1), line.show(0), line.write("a\n")), ["a", ""]],
  ["nothing is written", (line) => (line.show(3), line.write("")), [three]],
])("output and the status line do not share a line: %s", (_, use, screen) => {
  const outputs: string[] = [];
  const write = (text: string): boolean => outputs.push(text) > 0;
  use(new AssemblingLine({ isTTY: true, write }));
  expect(screenAfter(outputs)).toEqual(screen);
});
