import { Fragment } from "preact";
import { brief } from "../format.ts";
import type { RunJson, VerdictJson } from "../types.ts";

const expecting = ["expected_tool_sequence", "expected_tools", "expected_steps"];

/** Tools that the spec asks for, and whether their order counts; null where it asks for none. */
function expectedTools(verdict: VerdictJson | undefined): { key: string; names: readonly string[] } | null {
  for (const key of expecting) {
    const limit = verdict?.layers.path.checks.find(({ check }) => check === key)?.limit;
    if (Array.isArray(limit) && limit.every((name) => typeof name === "string")) return { key, names: limit };
  }
  return null;
}

interface Line {
  readonly how: "same" | "missing" | "extra";
  readonly name: string;
  readonly at: number | null;
}

/** The longest common order stays; what the spec has besides is missing, what the run has is extra. */
export function difference(expected: readonly string[], called: readonly string[]): readonly Line[] {
  const rows = expected.length + 1;
  const columns = called.length + 1;
  const common = Array.from({ length: rows }, () => new Uint32Array(columns));
  const get = (i: number, j: number): number => common[i]?.[j] ?? 0;
  for (let i = expected.length - 1; i >= 0; i--) {
    const row = common[i];
    if (row === undefined) continue;
    for (let j = called.length - 1; j >= 0; j--) {
      row[j] = expected[i] === called[j] ? get(i + 1, j + 1) + 1 : Math.max(get(i + 1, j), get(i, j + 1));
    }
  }
  const lines: Line[] = [];
  let i = 0;
  let j = 0;
  while (i < expected.length || j < called.length) {
    const wanted = expected[i];
    const used = called[j];
    if (wanted !== undefined && wanted === used) {
      lines.push({ how: "same", name: wanted, at: j++ });
      i++;
    } else if (wanted !== undefined && (used === undefined || get(i + 1, j) >= get(i, j + 1))) {
      lines.push({ how: "missing", name: wanted, at: null });
      i++;
    } else if (used !== undefined) lines.push({ how: "extra", name: used, at: j++ });
  }
  return lines;
}

const words = { same: "as expected", missing: "missing", extra: "not expected" } as const;
const mostCompared = 500;

/** The tools in the order they were called, beside those that the spec expects. */
export function Tools({ run, verdict }: { run: RunJson; verdict: VerdictJson | undefined }) {
  const expected = expectedTools(verdict);
  const called = run.tools.filter(({ executed }) => executed !== false);
  const names = called.map(({ name }) => name ?? "(unnamed)");
  const cut = names.slice(0, mostCompared);
  const lines =
    expected === null ? cut.map((name, at) => ({ how: null, name, at })) : difference(expected.names, cut);
  return (
    <section aria-label="Tools">
      <p class="quiet">
        {expected === null
          ? "The spec names no tools in an order; these were called:"
          : `Expected by ${expected.key} on the left, called on the right.`}
      </p>
      {lines.length === 0 && <p>No tool was called.</p>}
      <div class="tool-diff" role="list">
        {lines.map(({ how, name, at }, line) => {
          const call = at === null ? undefined : called[at];
          return (
            <div key={line} role="listitem" class={how ?? ""}>
              {expected !== null && <span>{how === "extra" ? "" : name}</span>}
              <span>
                {at === null ? "" : name}
                {call !== undefined && (
                  <Fragment>
                    {" "}
                    <code>{brief(call.arguments ?? "", 80)}</code>
                  </Fragment>
                )}
                {call?.error != null && <span class="mark fail"> ✗ {brief(call.error, 80)}</span>}
              </span>
              {how !== null && <span class="quiet">{words[how]}</span>}
            </div>
          );
        })}
      </div>
      {names.length > mostCompared && <p class="quiet">… and {names.length - mostCompared} more calls</p>}
    </section>
  );
}
