import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { stringify } from "yaml";
import { z } from "zod";

const runSchema = z.object({
  query: z.string(),
  answer: z.string().nullable(),
  status: z.string(),
  tools: z.array(z.object({ name: z.string(), name_in_data: z.string().optional() })),
});
type Truth = z.infer<typeof runSchema>;
const expectedSchema = z.union([z.object({ runs: z.array(runSchema) }), runSchema]);

/** What is expected of each question that the recordings below a folder ask: what its shortest successful run did. Every second query
 * matches by a pattern, so that a test of the very question is worth proposing. */
export function specOfTruth(folder: string): string {
  const byQuestion = new Map<string, Truth>();
  for (const truth of truthsBelow(folder).flatMap(({ runs }) => runs)) {
    const known = byQuestion.get(truth.query);
    if (truth.status === "ok" && (known === undefined || truth.tools.length < known.tools.length))
      byQuestion.set(truth.query, truth);
  }
  const queries = [...byQuestion.values()].map(({ query, answer, tools }, at) => {
    const [word] = (answer ?? "").match(/[\p{L}]+/gu)?.toSorted((a, b) => b.length - a.length) ?? [];
    const pattern = query
      .split(/\s+/)
      .map((one) => one.replaceAll(/\W/g, "."))
      .join(String.raw`\s+`);
    return {
      ...(at % 2 === 0 ? { query: `as recorded: ${query}`, match: { pattern } } : { query }),
      ...(word === undefined ? {} : { correctness: { expected_in_answer: [word] } }),
      path: {
        ...(tools.length === 0
          ? {}
          : { expected_tools: [...new Set(tools.map(nameOf))], min_tool_recall: 1 }),
        max_tool_calls: tools.length,
        severity: "fail",
      },
    };
  });
  return stringify({ version: 1, agent: "*", queries });
}

/**
 * Copies of the successful recordings below a folder, a day later and with ids of their own, in which the first tool is another one: runs that do
 * the wrong thing. Variants of a scenario (`NAME--variant`) are not copied.
 */
export function wrongCopies(folder: string): readonly { readonly name: string; readonly text: string }[] {
  return truthsBelow(folder).flatMap(({ directory, runs }) => {
    const [run] = runs;
    const [tool] = run?.tools ?? [];
    if (run?.status !== "ok" || runs.length > 1 || tool === undefined || basename(directory).includes("--"))
      return [];
    return ["traces.jsonl", "logs.jsonl"].flatMap((file) => {
      const text = textOf(join(directory, file));
      return text === null
        ? []
        : [{ name: `${basename(directory)}-${file}`, text: wrong(text, nameOf(tool)) }];
    });
  });
}

function nameOf(tool: Truth["tools"][number]): string {
  return tool.name_in_data ?? tool.name;
}

const DAY_NANO = 86_400_000_000_000n;

function wrong(dump: string, tool: string): string {
  const name = new RegExp(
    String.raw`(?<![\p{L}\p{N}_])${tool.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)}(?![\p{L}\p{N}_])`,
    "gu",
  );
  return dump
    .replace(name, "wipe_disk")
    .replaceAll(/("trace_?[iI]d":")([\da-f]{8})/g, (_, key: string, id: string) => key + flipped(id))
    .replaceAll(/\b(call|chatcmpl|toolu|resp|msg|fc)([_-])(?=[\w-]{6})/g, "$1$2w")
    .replaceAll(
      /(UnixNano":")(\d{19})/g,
      (_, key: string, time: string) => `${key}${BigInt(time) + DAY_NANO}`,
    );
}

function flipped(hex: string): string {
  return (Number.parseInt(hex, 16) ^ 0x5a5a5a5a).toString(16).replace("-", "").padStart(8, "0");
}

function truthsBelow(
  folder: string,
): readonly { readonly directory: string; readonly runs: readonly Truth[] }[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name === "expected.json")
    .map(({ parentPath }) => join(parentPath, "expected.json"))
    .toSorted()
    .flatMap((file) => {
      const parsed = expectedSchema.safeParse(JSON.parse(readFileSync(file, "utf8")));
      if (!parsed.success) return [];
      return [{ directory: dirname(file), runs: "runs" in parsed.data ? parsed.data.runs : [parsed.data] }];
    });
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return null;
  }
}
