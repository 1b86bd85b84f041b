import type { ToolUse } from "./tool-use.ts";

/** A use of a tool with its place in the run. */
export interface Step {
  readonly use: ToolUse;
  /** Set for a hand-off: where to. */
  readonly target: string | undefined;
  /** Control that goes back, or an answer given through a tool: neither a tool nor a hand-off. */
  readonly isControl: boolean;
  /** Set for an answer given through a tool: how that is known. */
  readonly output: string | undefined;
}
