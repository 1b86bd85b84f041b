import { allocatorSettings } from "../../../src/interfaces/cli/compile-cache/allocator.ts";

/** A command prefix that sets the allocator settings, with which newer versions of Node run `serve`. */
export function underAllocatorSettings(): readonly string[] {
  return ["env", ...Object.entries(allocatorSettings).map(([name, value]) => `${name}=${value}`)];
}
