import { ApiError, ask, post, useLoaded } from "../api.ts";
import { ago } from "../format.ts";
import { useState } from "../hooks.ts";
import { Problem } from "../parts/notice.tsx";
import type { Annotation, Outcome, VerdictJson } from "../types.ts";

/** Resolves to the annotations of a run; null if the collector cannot store them. */
async function annotations(runId: string): Promise<readonly Annotation[] | null> {
  try {
    const found = await ask<{ annotations: Annotation[] }>("/api/v1/annotations", {
      parameters: { run: runId },
    });
    return found.annotations;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

/** Human labels of a verdict: right or wrong, with a reason. `judge-audit` uses these labels. */
export function Labels({ verdict }: { verdict: VerdictJson }) {
  const [changes, setChanges] = useState(0);
  const [note, setNote] = useState("");
  const [error, setError] = useState<ApiError | null>(null);
  const loading = useLoaded(() => annotations(verdict.run_id), [verdict.run_id, changes]);
  if (loading.state !== "ready" || loading.value === null) return null;
  const about = loading.value.filter(({ verdict_id }) => verdict_id === verdict.verdict_id);
  const change = async (request: Promise<unknown>): Promise<void> => {
    try {
      await request;
      setError(null);
      setNote("");
      setChanges(changes + 1);
    } catch (reason) {
      if (reason instanceof ApiError) setError(reason);
    }
  };
  const say = (label: "pass" | "fail"): void => {
    const { run_id, verdict_id } = verdict;
    void change(post("/api/v1/annotations", { run_id, verdict_id, label, note }));
  };
  const remove = (id: number): void => void change(ask(`/api/v1/annotations/${id}`, { method: "DELETE" }));
  return (
    <section class="card labels" aria-labelledby="labels-title">
      <h2 id="labels-title">Is this verdict right?</h2>
      <p class="quiet">
        Labels are stored. <a href="/api/v1/labels">/api/v1/labels</a> exports them;{" "}
        <code>judge-audit --labels</code> compares the judges with them.
      </p>
      <label>
        Reason
        <input
          value={note}
          maxLength={2000}
          onInput={(event) => setNote(event.currentTarget.value)}
          placeholder="optional"
        />
      </label>
      <div class="actions">
        {choices(verdict.outcome).map(({ text, label }) => (
          <button key={label} type="button" onClick={() => say(label)}>
            {text}
          </button>
        ))}
      </div>
      {error !== null && <Problem error={error} />}
      <ul>
        {about.map(({ id, label, note: reason, author, created_unix_ms }) => (
          <li key={id}>
            The agent did {label === "pass" ? "right" : label === "fail" ? "wrong" : "something worth a note"}
            {reason !== "" && `: ${reason}`}{" "}
            <span class="quiet">
              {author ?? ""} {ago(created_unix_ms, Date.now())}
            </span>{" "}
            <button type="button" class="plain" onClick={() => remove(id)}>
              take back
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/**
 * Returns the labels from which a person can choose. The person chooses whether the verdict is right; the label says whether the agent was
 * right. So if the verdict is wrong, the label is the opposite of the outcome.
 */
function choices(outcome: Outcome): readonly { text: string; label: "pass" | "fail" }[] {
  if (outcome === "pass" || outcome === "warn") {
    return [
      { text: "Verdict is right", label: "pass" },
      { text: "Verdict is wrong", label: "fail" },
    ];
  }
  if (outcome === "fail") {
    return [
      { text: "Verdict is right", label: "fail" },
      { text: "Verdict is wrong", label: "pass" },
    ];
  }
  return [
    { text: "The agent did right", label: "pass" },
    { text: "The agent did wrong", label: "fail" },
  ];
}
