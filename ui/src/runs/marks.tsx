import { signal } from "@preact/signals";

/** Ids of at most two runs that are marked for comparison. Marking a third one removes the first mark. */
const marked = signal<readonly string[]>([]);

function toggle(runId: string): void {
  const others = marked.value.filter((id) => id !== runId);
  marked.value = others.length < marked.value.length ? others : [...others.slice(-1), runId];
}

/** A checkbox that marks a run for comparison. */
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

/** Number of marked runs, and the link that compares them. */
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
