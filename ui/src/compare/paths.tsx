import { percent } from "../format.ts";
import type { SideJson } from "./compare-data.ts";
import { sides } from "./sides.tsx";

/** Sequences of tool calls with their share of the runs on each side, the largest difference first. */
export function Paths({ a, b }: { a: SideJson; b: SideJson }) {
  const keys = new Map<string, { tools: readonly string[]; a: number; b: number }>();
  for (const side of sides) {
    const of = side === "a" ? a : b;
    for (const { tools, runs } of of.paths) {
      const key = JSON.stringify(tools);
      const one = keys.get(key) ?? { tools, a: 0, b: 0 };
      one[side] += runs / of.runs;
      keys.set(key, one);
    }
  }
  const rows = [...keys.values()].sort((one, other) => Math.abs(other.a - other.b) - Math.abs(one.a - one.b));
  return (
    <section class="card" aria-labelledby="paths-title">
      <h2 id="paths-title">Paths, by how much they differ</h2>
      <table class="paths">
        <thead>
          <tr>
            <th scope="col">Tools in order</th>
            <th scope="col">A</th>
            <th scope="col">B</th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, 20).map(({ tools, a: inA, b: inB }) => (
            <tr key={tools.join("\n")}>
              <td>{tools.length === 0 ? <span class="quiet">no tools</span> : folded(tools)}</td>
              <td>{percent(inA)}</td>
              <td>{percent(inB)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Returns a sequence of tool calls as text, such as `search ×3 → answer`. */
function folded(tools: readonly string[]): string {
  const parts: { name: string; times: number }[] = [];
  for (const name of tools) {
    const last = parts.at(-1);
    if (last?.name === name) last.times++;
    else parts.push({ name, times: 1 });
  }
  return parts.map(({ name, times }) => (times === 1 ? name : `${name} ×${times}`)).join(" → ");
}
