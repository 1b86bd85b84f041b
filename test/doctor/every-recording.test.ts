import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { recordingsBelow } from "../../bench/data/real/recordings.ts";
import { runCli } from "../support/run-cli.ts";

/*
 * What `doctor` says of recorded producers: it names each one, or the dialect that it is read by, and says for all missing evidence what brings
 * it, that the producer does not record it, or that no setting is known.
 */

const folders = readdirSync("test/fixtures/recordings", { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** Coding agents with their records alone, and every ninth other producer. */
const dumps: readonly (readonly [string, readonly string[]])[] = [
  ...["claude-code", "qwen-code", "gemini-cli"].flatMap((folder) =>
    recordingsBelow([`test/fixtures/recordings/${folder}`])
      .slice(0, 1)
      .map(({ files }) => [`${folder}, records alone`, files.slice(-1)] as const),
  ),
  ...folders
    .filter((folder, at) => at % 9 === 0 || /neatlogs|netra|rig|mcp-agent/.test(folder))
    .map(
      (folder) => [folder, recordingsBelow([`test/fixtures/recordings/${folder}`])[0]?.files ?? []] as const,
    ),
];

const listOf = (text: string, line: RegExp): string[] =>
  [...text.matchAll(line)].flatMap(([, names = ""]) => names.split(", "));

describe.each(dumps)("%s", (_, files) => {
  test("has its producer named and its missing evidence explained", async () => {
    const { stdout } = await runCli("doctor", ...files);
    const [, instrumentation = ""] = /^Instrumentation\n([\s\S]*?)\n\n/m.exec(stdout) ?? [];
    expect(instrumentation).toMatch(/\S/);
    expect(instrumentation).not.toMatch(/unknown producer {2}/);
    const lacking = listOf(stdout, /^ {2}[✗~] ([a-z ]+?) {2,}\d/gm);
    const explained = [
      ...listOf(stdout, /no known setting records: (.+)$/gm),
      ...listOf(stdout, /^ {2}([a-z ]+): .+ cannot record this: /gm),
      ...listOf(stdout, /^ {2}([a-z, ]+)$/gm),
      ...listOf(stdout, /^ {6}for ([a-z, ]+);/gm),
    ].map((name) => name.trim());
    // A cost follows from the usage.
    const open = lacking.filter((name) => !explained.includes(name.trim()) && name.trim() !== "cost");
    expect({ open, said: open.length === 0 ? "" : stdout }).toEqual({ open: [], said: "" });
  });

  test("is said to have answers only where runs have them", async () => {
    const [diagnosis, inspected] = [
      await runCli("doctor", ...files, "--format", "json"),
      await runCli("inspect", ...files, "--format", "json"),
    ];
    const { evidence } = JSON.parse(diagnosis.stdout) as { evidence: { answer: { have: number } } };
    const answers = inspected.stdout
      .split("\n")
      .filter(Boolean)
      .filter((line) => (JSON.parse(line) as { answer: string | null }).answer !== null);
    expect(evidence.answer.have).toBeLessThanOrEqual(answers.length);
  });
});
