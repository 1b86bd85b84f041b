import { mergeNodes } from "../../spec/document/merge.ts";
import { mapNode, type DocumentNode, type MapNode, type Place } from "../../spec/document/node.ts";
import { problemAt, type Problem } from "../../spec/document/problems/problem.ts";
import { readDocument } from "../../spec/document/read-document.ts";

/** Returns the name of a `--set` argument, which is used in positions instead of a file name. */
export function setName(argument: string): string {
  return `--set ${argument}`;
}

/** Whether a name in a position is that of a `--set` argument. */
export function isSetName(file: string): boolean {
  return file.startsWith("--set ");
}

/** Parses one `--set a.b=VALUE`, where VALUE is YAML. A key with dots is quoted: `prices."gpt-4.1"={…}`. */
export function readSetValue(argument: string, problems: Problem[]): DocumentNode | undefined {
  const file = setName(argument);
  const equals = endOfPath(argument);
  const keys = splitPath(argument.slice(0, equals));
  const whole: Place = { file, line: 1, column: 1, length: Math.max(1, argument.length) };
  if (equals < 0 || keys.length === 0 || keys.includes("")) {
    problems.push(
      problemAt(
        whole,
        "config/bad-set",
        "`--set` takes a key and a value",
        "write --set receive.http=127.0.0.1:0",
      ),
    );
    return undefined;
  }
  // The spaces move the value to the column that it has in the argument, so that positions in messages are correct.
  const text = `${" ".repeat(equals + 1)}${argument.slice(equals + 1)}`;
  const read = readDocument({ file, text });
  problems.push(...read.problems);
  const keyAt = { ...whole, length: Math.max(1, equals) };
  const value = read.root && (isAddress(keys) ? asText(read.root) : read.root);
  return value && keys.reduceRight<DocumentNode>((node, key) => only(key, node, keyAt), value);
}

/** Keys whose value is an address, which can be a port alone. */
const addresses: ReadonlySet<string> = new Set(["receive.http", "receive.grpc", "admin"]);

function isAddress(keys: readonly string[]): boolean {
  return addresses.has(keys.join("."));
}

/** Converts a whole number, such as a port, back into text. */
function asText(node: DocumentNode): DocumentNode {
  return node.kind === "scalar" && Number.isInteger(node.value)
    ? { ...node, value: String(node.value) }
    : node;
}

function only(key: string, node: DocumentNode, keyAt: Place): MapNode {
  return mapNode(keyAt, new Map([[key, { keyAt, node }]]));
}

function endOfPath(argument: string): number {
  const path = /^(?:"[^"]*"|[^="])*/.exec(argument)?.[0] ?? "";
  return argument[path.length] === "=" ? path.length : -1;
}

function splitPath(path: string): string[] {
  return [...path.matchAll(/(?:^|\.)(?:"([^"]*)"|([^."]*))/g)].map(
    ([, quoted, plain]) => quoted ?? plain?.trim() ?? "",
  );
}

/** Merges documents. A value in a later document replaces the value with the same key in an earlier one. */
export function mergeAll(nodes: readonly DocumentNode[]): DocumentNode | undefined {
  return nodes.length === 0 ? undefined : nodes.reduce(mergeNodes);
}
