import type { Divergence } from "../../model/playback.ts";
import { align } from "./align.ts";
import type { ReducedRequest, RequestPart } from "./reduce-request.ts";
import type { ReducedTool } from "./reduce-tool.ts";

/** Matches a date or version at the end of a model name: `"-2024-08-06"`, `"@latest"`. */
const version = /^(?:[-@:](?:\d{4}-?\d\d-?\d\d|\d{2,4}-\d\d|\d{3}|v\d[\w.:-]*|latest))+$/;

/** A part of a request that differs from the recording. */
export type Difference = Omit<Divergence, "call" | "diff">;

/**
 * Returns the parts in which a request differs from a recorded request; empty if they are equal. Ignores parts that are not in the
 * recording.
 */
export function differencesOf(recorded: ReducedRequest, now: ReducedRequest): readonly Difference[] {
  return [
    ...modelDifference(recorded, now),
    ...systemDifference(recorded, now),
    ...toolDifferences(recorded, now.tools ?? []),
    ...partDifferences(recorded.parts, now.parts ?? []),
  ];
}

const DEFINITIONS = "tool definitions";

const SYSTEM_WEIGHT = 4;
const TOOLS_WEIGHT = 2;

/**
 * Returns the distance of a request from a recorded request. System prompt and tools count more than messages. If the recording has no
 * prompt or no tools, they count as different. Otherwise a recorded call without content would be closer than a call with an edited prompt.
 */
export function distanceOf(
  recorded: ReducedRequest,
  now: ReducedRequest,
  differences: readonly Difference[],
): number {
  let sum = 0;
  if (recorded.system === null && now.system !== null) sum += SYSTEM_WEIGHT;
  if (recorded.tools === null && now.tools !== null && now.tools.length > 0) sum += TOOLS_WEIGHT;
  for (const { what } of differences)
    sum += what === "system prompt" ? SYSTEM_WEIGHT : what === DEFINITIONS ? TOOLS_WEIGHT : 1;
  return sum;
}

function difference(what: string, where: string, recorded: string | null, now: string | null): Difference {
  return { what, where, recorded, now };
}

function modelDifference({ model: was }: ReducedRequest, { model: is }: ReducedRequest): Difference[] {
  return was === null || is === null || isSameModel(was, is) ? [] : [difference("model", "", was, is)];
}

function systemDifference({ system: was }: ReducedRequest, { system: is }: ReducedRequest): Difference[] {
  if (was === null || was.key === (is?.key ?? "")) return [];
  return [difference("system prompt", "", was.text, is?.text ?? null)];
}

function toolDifferences(
  { tools: was, hasMoreTools }: ReducedRequest,
  is: readonly ReducedTool[],
): Difference[] {
  if (was === null) return [];
  const found: Difference[] = [];
  const knownNames = new Set(was.map(({ name }) => name));
  const names = is.flatMap(({ name }) => (hasMoreTools === true && !knownNames.has(name) ? [] : name));
  const toolsByName = new Map(is.toReversed().map((tool) => [tool.name, tool]));
  for (const { name } of was)
    if (!toolsByName.has(name)) found.push(difference(DEFINITIONS, `tool ${name}`, name, null));
  for (const name of names)
    if (!knownNames.has(name)) found.push(difference(DEFINITIONS, `tool ${name}`, null, name));
  if (found.length === 0) {
    const before = was.map(({ name }) => name).join(", ");
    const after = names.join(", ");
    if (before !== after) found.push(difference(DEFINITIONS, "order", before, after));
  }
  for (const tool of was) {
    const other = toolsByName.get(tool.name);
    if (other === undefined) continue;
    if (tool.description !== null && tool.description.key !== (other.description?.key ?? ""))
      found.push(
        difference(
          DEFINITIONS,
          `description of tool ${tool.name}`,
          tool.description.text,
          other.description?.text ?? null,
        ),
      );
    if (tool.schema !== null && tool.schema !== other.schema)
      found.push(difference(DEFINITIONS, `parameters of tool ${tool.name}`, tool.schema, other.schema));
  }
  return found;
}

function partDifferences(was: readonly RequestPart[] | null, is: readonly RequestPart[]): Difference[] {
  if (was === null) return [];
  // Some producers record only the new messages of a call, without the history. Then only the end of the request is compared.
  const isTail = was[0]?.kind === "result" && is.length > was.length;
  const skipped = isTail ? is.length - was.length : 0;
  const isText = ![...was, ...is].some(({ kind }) => kind === "tool call" || kind === "result");
  const unequal = align(
    was,
    is.slice(skipped),
    (a, b) => a.kind === b.kind && (a.key === b.key || (isText && hasSameSteps(a, b))),
    (a, b) => a.kind === b.kind && a.tool === b.tool,
  );
  // Each result belongs to a call, but some instrumentations do not record the call. As many calls may be missing in the recording.
  let omittedCalls = countOf("result", was) - countOf("tool call", was);
  const isOmitted = (recorded: RequestPart | null, now: RequestPart | null): boolean =>
    recorded === null && now?.kind === "tool call" && omittedCalls-- > 0;
  const found = unequal.filter(([recorded, now]) => !isOmitted(recorded, now));
  return found.map(([recorded, now, at]) => {
    const part = (now ?? recorded) as RequestPart;
    return difference(
      whatOf(part),
      `part ${at + skipped + 1} of the history`,
      recorded?.text ?? null,
      now?.text ?? null,
    );
  });
}

/**
 * Whether two texts of several lines have the same steps. Such texts count as equal. A framework without tool messages writes the calls and
 * results of parallel tools into one text, in the order in which the tools end: each on a line, or as a list in one line. This order can
 * differ in each run. The words of a step do not change their order: `from A to B` is not `from B to A`.
 */
function hasSameSteps(a: RequestPart, b: RequestPart): boolean {
  if (a.key.length !== b.key.length || a.steps === undefined || b.steps === undefined) return false;
  return sortedSteps(a.steps()) === sortedSteps(b.steps());
}

function sortedSteps(steps: readonly string[]): string {
  return steps
    .filter((step) => step !== "")
    .sort()
    .join("\n");
}

function countOf(kind: RequestPart["kind"], parts: readonly RequestPart[]): number {
  return parts.filter((part) => part.kind === kind).length;
}

function whatOf({ kind, tool }: RequestPart): string {
  if (kind === "result") return tool === null ? "result of a tool" : `result of tool ${tool}`;
  return kind === "tool call" && tool !== null ? `call of tool ${tool}` : kind;
}

/** Whether two names mean the same model. Ignores a provider's name at the beginning, and a date or version at the end. */
function isSameModel(one: string, other: string): boolean {
  const [short, long] = [bare(one), bare(other)].sort((a, b) => a.length - b.length) as [string, string];
  return short === long || (long.startsWith(short) && version.test(long.slice(short.length)));
}

function bare(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1).toLowerCase();
}
