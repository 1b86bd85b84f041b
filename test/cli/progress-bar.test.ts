import { describe, expect, test } from "vitest";
import { progressBar } from "../../src/replay/progress-bar.ts";

function terminal(isTTY: boolean) {
  const written: string[] = [];
  const stream = { isTTY, write: (text: string) => written.push(text) } as unknown as NodeJS.WriteStream;
  return { stream, written };
}

describe("a replay shows how far it is", () => {
  test("once it takes longer than a second, and not too often; in the end the line is clean", () => {
    let now = 0;
    const { stream, written } = terminal(true);
    const progress = progressBar(stream, () => now);

    progress.at(0.1);
    expect(written).toEqual([]);
    now = 1_000;
    progress.at(0.25);
    progress.ran();
    now = 1_100;
    progress.at(0.5);
    expect(written.map((text) => text.replace(/^.*[█░] +/s, ""))).toEqual(["25 %  0 runs", "50 %  1 run"]);
    progress.done();
    expect(written.at(-1)).toBe("\r\u001b[2K");
  });

  test("by its runs, where all is read before the first of them", () => {
    let now = 2_000;
    const { stream, written } = terminal(true);
    const progress = progressBar(stream, () => now);
    progress.expect(4);
    now = 4_000;
    progress.ran();
    expect(written.join("")).toContain(" 25 %  1 run");
  });

  test("only where somebody looks", () => {
    let now = 0;
    const { stream, written } = terminal(false);
    const progress = progressBar(stream, () => now);
    now = 5_000;
    progress.at(0.5);
    progress.done();
    expect(written).toEqual([]);
  });
});
