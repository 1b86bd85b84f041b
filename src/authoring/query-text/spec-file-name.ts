import { slug } from "../../spec/compile/ids.ts";

/** Returns the path of an agent's spec, relative to the folder in which `init` runs. */
export function specFileName(agent: string): string {
  const name = agent === "*" ? "any" : slug(agent);
  return `specs/${name === "" ? "agent" : name}.yaml`;
}
