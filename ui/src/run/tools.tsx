import { Fragment } from "preact";
import { sequenceDiff } from "../../../src/report/render/diff/sequence-diff.ts";
import { brief } from "../format.ts";
import type { RunJson, VerdictJson } from "../types.ts";

const expecting = ["expected_tool_sequence", "expected_tools", "expected_steps"];

/** Returns the tools that the spec expects, and the key of the check that expects them; null if the spec expects none. */
function expectedTools(verdict: VerdictJson | undefined): { key: string; names: readonly string[] } | null {
  for (const key of expecting) {
    const limit = verdict?.layers.path.checks.find(({ check }) => check === key)?.limit;
    if (Array.isArray(limit) && limit.every((name) => typeof name === "string")) return { key, names: limit };
  }
  return null;
}

const words = { same: "as expected", missing: "missing", extra: "not expected" } as const;
const mostCompared = 500;

/** The called tools in the order of their calls, next to the tools that the spec expects. */
export function Tools({ run, verdict }: { run: RunJson; verdict: VerdictJson | undefined }) {
  const expected = expectedTools(verdict);
  const called = run.tools.filter(({ executed }) => executed !== false);
  const names = called.map(({ name }) => name ?? "(unnamed)");
  const cut = names.slice(0, mostCompared);
  const lines =
    expected === null ? cut.map((name, at) => ({ how: null, name, at })) : sequenceDiff(expected.names, cut);
  return (
    <section aria-label="Tools">
      <p class="quiet">
        {expected === null
          ? "The spec has no list of expected tools. The run called:"
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
