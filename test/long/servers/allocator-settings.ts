import { allocatorSettings } from "../../../src/interfaces/cli/compile-cache/allocator.ts";

/** A program with its arguments that runs another one with the settings of the allocator, as later versions of Node run `serve`. */
export function underAllocatorSettings(): readonly string[] {
  return ["env", ...Object.entries(allocatorSettings).map(([name, value]) => `${name}=${value}`)];
}
