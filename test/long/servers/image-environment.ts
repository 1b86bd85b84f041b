import { readFileSync } from "node:fs";

/** A program with its arguments that runs another one with the allocator's settings of the container image. */
export function underImageEnvironment(): readonly string[] {
  const dockerfile = readFileSync("docker/Dockerfile", "utf8");
  const settings = dockerfile.match(/\bMALLOC_\w+=\d+/g) ?? [];
  if (settings.length === 0) throw new Error("docker/Dockerfile: no settings of the allocator");
  return ["env", ...settings];
}
