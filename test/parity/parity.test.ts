import { beforeAll, describe, expect, test } from "vitest";
import { Bench, type Proof } from "./harness.ts";
import { commandsOf, proofOf, rowsOf } from "./page.ts";

const rows = rowsOf();

const benches = new Map<Proof, Promise<Bench>>();

/** Runs a proof, once for all rows that it proves. */
function benchOf(proof: Proof): Promise<Bench> {
  const known = benches.get(proof);
  if (known !== undefined) return known;
  const bench = new Bench();
  const made = Promise.resolve(proof(bench)).then(() => bench);
  benches.set(proof, made);
  return made;
}

/** The first command reads all of the sources, which takes its time on a busy machine. */
beforeAll(async () => void (await new Bench().test("path: {}", {})));

describe.each([...new Set(rows.map(({ section }) => section))])("%s", (section) => {
  const own = rows.filter((row) => row.section === section && commandsOf(row).length > 0);

  test.each(own.map((row) => [row.rule, row] as const))("%s", async (_, row) => {
    const proof = proofOf(row);
    if (proof === undefined) throw new Error("has no proof in test/parity");
    expect.hasAssertions();
    const bench = await benchOf(proof);
    const ran = bench.ran.map((words) => words.join(" "));

    for (const command of commandsOf(row)) {
      const words = command.split(" ");
      const isRun = ran.some((line) =>
        words.every((word, at) => (at === 0 ? line.startsWith(word) : line.includes(word))),
      );
      expect(isRun, `a command that is ${command} is run; run were: ${ran.join("; ")}`).toBe(true);
    }
  });
});
