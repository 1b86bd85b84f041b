import { nameTest } from "../../evaluate/rules/tool-names.ts";
import { isArray, isObject, type JsonObject, type JsonValue } from "../../model/json.ts";
import { type Problem, type QueryBlocks, textOf } from "./promptfoo-blocks.ts";
import { compact, type Source } from "./source.ts";

interface TrajectoryAssert {
  /** Type of the assert, without the prefix `not-`. */
  readonly type: string;
  readonly inverse: boolean;
  readonly value: JsonValue | undefined;
}

/**
 * Converts asserts about the tools of a trace. Tool names are patterns. The converted spec has `preset: promptfoo`, with which trajectories
 * are compared as in promptfoo.
 */
export function carryTrajectory(assert: TrajectoryAssert, source: Source, blocks: QueryBlocks): Problem {
  const { type, value, inverse } = assert;
  const blank = namesIn(value).find((name) => name !== name.trim());
  if (blank !== undefined)
    return `the tool name ${JSON.stringify(blank)} begins or ends with white space, so promptfoo matches no tool`;
  switch (type) {
    case "trajectory:tool-used":
      return isObject(value) ? toolCount(value, inverse, 1, blocks) : toolsUsed(assert, blocks);
    case "trajectory:step-count":
      return isObject(value) ? stepCount(value, inverse, blocks) : "without a limit";
    case "trajectory:tool-sequence":
      return inverse ? "" : toolSequence(value, blocks);
    case "trajectory:tool-args-match":
      if (inverse) return "";
      return isObject(value) ? toolArguments(value, source, blocks) : "without arguments";
    default:
      return "";
  }
}

function namesIn(value: JsonValue | undefined): readonly string[] {
  if (typeof value === "string") return [value];
  if (isArray(value)) return value.flatMap(namesIn);
  if (!isObject(value)) return [];
  return [value["name"], value["pattern"], value["steps"]].flatMap(namesIn);
}

function toolsUsed({ value, inverse }: TrajectoryAssert, blocks: QueryBlocks): Problem {
  const names = typeof value === "string" ? [value] : isArray(value) ? value : [];
  if (names.length === 0 || !names.every((name) => typeof name === "string")) return "without names of tools";
  return inverse ? forbidden(names, blocks) : blocks.tools("expected_tools", ...names);
}

/** Forbids tools. A pattern becomes a `spans` check, because `forbidden_tools` has no patterns. */
function forbidden(names: readonly string[], blocks: QueryBlocks): Problem {
  for (const name of names) {
    if (isPlain(name)) blocks.tools("forbidden_tools", name);
    else blocks.span({ kind: "tool", name, max_count: 0 });
  }
  return null;
}

function isPlain(name: string): boolean {
  return !/[*?]/.test(name);
}

/** Returns the name or pattern of a tool. Returns undefined if the step is not a tool call. */
function toolNamed(step: JsonValue): string | undefined {
  if (typeof step === "string") return step;
  if (!isObject(step) || !isTool(step["type"])) return undefined;
  const name = step["pattern"] ?? step["name"];
  return typeof name === "string" && name !== "" ? name : undefined;
}

function isTool(type: JsonValue | undefined): boolean {
  return type === undefined || (isArray(type) ? type : [type]).includes("tool");
}

/**
 * Limits how often a tool is called.
 * @param least minimum that applies if the assert has no `min`
 */
function toolCount(
  value: JsonObject,
  inverse: boolean,
  least: number | undefined,
  blocks: QueryBlocks,
): Problem {
  const name = toolNamed(value);
  if (name === undefined) return "without the name of a tool";
  return counted(name, bounds(value, least), inverse, blocks);
}

function stepCount(value: JsonObject, inverse: boolean, blocks: QueryBlocks): Problem {
  const types = isArray(value["type"]) ? value["type"] : [value["type"]];
  if (types.some((type) => type !== "tool"))
    return `counts steps that are not tool calls: ${types.map((type) => textOf(type ?? "any")).join(", ")}`;
  const limits = bounds(value, undefined);
  if (limits.min === undefined && limits.max === undefined) return "without a limit";
  return counted(toolNamed(value), limits, inverse, blocks);
}

interface Bounds {
  readonly min: number | undefined;
  readonly max: number | undefined;
}

function bounds(value: JsonObject, least: number | undefined): Bounds {
  const { min, max } = value;
  return {
    min: typeof min === "number" ? Math.max(0, Math.ceil(min)) : least,
    max: typeof max === "number" ? Math.floor(max) : undefined,
  };
}

function counted(name: string | undefined, limits: Bounds, inverse: boolean, blocks: QueryBlocks): Problem {
  const { min, max } = inverse ? outside(limits) : limits;
  if (min === undefined && max === undefined)
    return "the allowed counts are two ranges, below and above the limits";
  if (max !== undefined && max < 0) return "with a limit below 0, the assert always fails";
  if (name === undefined && min === undefined && max !== undefined)
    return blocks.limit("path", "max_tool_calls", max);
  if (name !== undefined && min === 1 && max === undefined) return blocks.tools("expected_tools", name);
  if (name !== undefined && min === undefined && max === 0) return forbidden([name], blocks);
  const assertion = { kind: "tool", name };
  if (min === undefined || max === undefined || min <= max)
    return blocks.span(
      compact({ ...assertion, min_count: min === 0 && max !== undefined ? undefined : min, max_count: max }),
    );
  // No count is between the limits, so one of the two assertions fails.
  return (
    blocks.span(compact({ ...assertion, min_count: min })) ??
    blocks.span(compact({ ...assertion, max_count: max }))
  );
}

/**
 * Returns limits that allow exactly the counts that the given limits exclude. If the excluded counts form two
 * ranges, both limits are undefined.
 */
function outside({ min = 0, max }: Bounds): Bounds {
  if (max === undefined) return { min: undefined, max: min - 1 };
  return min === 0 ? { min: max + 1, max: undefined } : { min: undefined, max: undefined };
}

function toolSequence(value: JsonValue | undefined, blocks: QueryBlocks): Problem {
  const steps = isObject(value) ? value["steps"] : value;
  const names = isArray(steps) ? steps.map(toolNamed) : [];
  const known = names.filter((name) => name !== undefined);
  if (known.length === 0 || known.length < names.length) return "without names of tools";
  const isExact = isObject(value) && value["mode"] === "exact";
  const problem = blocks.once("path", "expected_tool_sequence", known);
  return problem ?? blocks.once("path", "sequence_mode", isExact ? "same-order" : "contains-in-order");
}

/** Requires one call with these arguments, and allows other calls, unlike `expected_tool_calls`. */
function toolArguments(value: JsonObject, source: Source, blocks: QueryBlocks): Problem {
  const name = toolNamed(value);
  const wanted = value["args"] ?? value["arguments"];
  const { mode = "partial", defaults, ignore } = value;
  if (name === undefined || wanted === undefined) return "without a name or arguments";
  if (mode !== "partial" && mode !== "exact") return `mode ${textOf(mode)}`;
  if (defaults !== undefined || (ignore !== undefined && mode === "exact")) {
    source.leave(defaults === undefined ? "value.ignore" : "value.defaults");
    return "`ignore` or `defaults` excludes some arguments";
  }
  const call = { kind: "tool", name, field: "arguments", some: true } as const;
  if (mode === "exact" || (!isObject(wanted) && !isArray(wanted)))
    return blocks.span({ ...call, equals: wanted });
  if (isArray(wanted)) return "the arguments are a list";
  return blocks.span({ ...call, includes: withoutIgnored(wanted, ignore) });
}

/**
 * Returns the top-level arguments whose names do not match `ignore`. In `ignore`, `*` matches any text, and `?` any
 * character.
 */
function withoutIgnored(wanted: JsonObject, ignore: JsonValue | undefined): JsonObject {
  const patterns = (isArray(ignore) ? ignore : [ignore]).flatMap((one) =>
    typeof one === "string" ? [one] : [],
  );
  const isIgnored = (key: string): boolean =>
    patterns.some((pattern) => pattern === key || (!isPlain(pattern) && nameTest(pattern, "promptfoo")(key)));
  return Object.fromEntries(Object.entries(wanted).filter(([key]) => !isIgnored(key)));
}
