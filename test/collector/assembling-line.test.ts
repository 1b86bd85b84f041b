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
const one = "assembling… 1 open trace";

/** What is done in order: a text is written, a number is the number of open traces from then on. */
test.each<[string, readonly (string | number)[], readonly string[]]>([
  ["no run is open", ["a\n"], ["a", ""]],
  ["runs are open", [3, "a\n", "b\nc\n"], ["a", "b", "c", three]],
  ["a run closed", [3, "a\n", 1], ["a", one]],
  ["the last run closed", [1, 0, "a\n"], ["a", ""]],
])("output and the status line do not share a line: %s", (_, steps, screen) => {
  const outputs: string[] = [];
  const line = new AssemblingLine({ isTTY: true, write: (text: string) => outputs.push(text) > 0 });
  let open = 0;
  const following = line.follow({ openTraces: () => open });
  for (const step of steps) {
    if (typeof step === "string") line.write(step);
    else open = step;
    line.update();
  }
  expect(screenAfter(outputs)).toEqual(screen);
  following.stop();
  expect(screenAfter(outputs).at(-1)).toBe("");
});
