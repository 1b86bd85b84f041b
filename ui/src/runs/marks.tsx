import { signal } from "@preact/signals";

/** Ids of the runs that are marked for comparison, at most two; the one marked first gives way to a third. */
const marked = signal<readonly string[]>([]);

function toggle(runId: string): void {
  const others = marked.value.filter((id) => id !== runId);
  marked.value = others.length < marked.value.length ? others : [...others.slice(-1), runId];
}

/** Marks a run of a list for comparison. */
export function Mark({ runId, name }: { runId: string; name: string }) {
  return (
    <label class="row-mark">
      <input
        type="checkbox"
        data-mark
        aria-label={`Mark for comparison: ${name}`}
        checked={marked.value.includes(runId)}
        onChange={() => toggle(runId)}
      />
    </label>
  );
}

/** How many runs are marked, and the way to compare them. */
export function MarkedRuns() {
  const [a, b] = marked.value;
  if (a === undefined) return null;
  return (
    <span class="marked">
      {b === undefined ? (
        <span class="quiet">1 marked, mark another</span>
      ) : (
        <a class="button" href={`/side-by-side?${new URLSearchParams({ a, b }).toString()}`} data-key="c">
          Compare the two
        </a>
      )}
      <button type="button" class="plain" onClick={() => (marked.value = [])}>
        Unmark
      </button>
    </span>
  );
}
