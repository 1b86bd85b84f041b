import type { SourceLine } from "../../../model/source-line.ts";
import { printable } from "../terminal/printable.ts";
import { fingerprintOf } from "../problems/fingerprint.ts";
import { type ReportedProblem, reportedProblems } from "../problems/reported-problems.ts";
import type { TestResult } from "../json/result.ts";

/**
 * Yields SARIF 2.1.0 with a result for each problem and each note. A result without a position is placed at
 * the beginning of the first spec.
 */
export function* sarifReport(result: TestResult): Generator<string> {
  const found = new Set<string>();
  for (const { rule } of reportedProblems(result)) found.add(rule);
  const rules = [...found].sort();
  const driver = {
    name: "tracejury",
    version: result.version,
    rules: rules.map((id) => ({ id, shortDescription: { text: id.replaceAll("_", " ") } })),
  };
  const report = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver },
        columnKind: "utf16CodeUnits",
        results: [],
      },
    ],
  };
  const [before = "", after = ""] = JSON.stringify(report, null, 2).split(EMPTY_RESULTS);
  yield before;
  yield* indentedList("results", reportedProblems(result), (problem) => resultOf(problem, rules, result));
  yield `${after}\n`;
}

const EMPTY_RESULTS = '"results": []';
const INDENT = " ".repeat(8);

/** Yields the items of a JSON list one by one, so that the text of the complete list is never in memory. */
function* indentedList<Item>(
  name: string,
  items: Iterable<Item>,
  shown: (item: Item) => object,
): Generator<string> {
  yield `"${name}": [`;
  let before = "\n";
  for (const item of items) {
    const text = JSON.stringify(shown(item), null, 2).replaceAll("\n", `\n${INDENT}`);
    yield `${before}${INDENT}${text}`;
    before = ",\n";
  }
  yield before === "\n" ? "]" : `\n${INDENT.slice(2)}]`;
}

function resultOf(problem: ReportedProblem, rules: readonly string[], { specs }: TestResult): object {
  const { rule, level, title, message, source, spec, queryId, runId, run } = problem;
  const region = { startLine: source?.line ?? 1, startColumn: source?.column ?? 1 };
  const uri = uriOf(source?.file ?? specs[0]?.file ?? "tracejury");
  return {
    ruleId: rule,
    ruleIndex: rules.indexOf(rule),
    level,
    message: { text: `${title}: ${message}` },
    locations: [{ physicalLocation: { artifactLocation: { uri }, region } }],
    partialFingerprints: { "tracejury/v1": fingerprintOf(problem) },
    ...(run === null ? {} : { relatedLocations: [runLocation(run)] }),
    properties: { spec: shown(spec), queryId: shown(queryId), runId: shown(runId) },
  };
}

function runLocation({ file, line }: SourceLine): object {
  return {
    physicalLocation: { artifactLocation: { uri: uriOf(file) }, region: { startLine: line } },
    message: { text: "the run" },
  };
}

function shown(text: string | null): string | null {
  return text === null ? null : printable(text, 400);
}

/** Returns a path as a URI. A relative path becomes a relative URI. */
function uriOf(file: string): string {
  const path = file.replaceAll("\\", "/").replace(/[\ud800-\udfff]/gu, "\ufffd");
  const parts = path.split("/").map(encodeURIComponent);
  return path.startsWith("/") ? `file://${parts.join("/")}` : parts.join("/");
}
