import type { ComponentChildren } from "preact";
import { useRef, useState } from "../hooks.ts";
import { Copyable } from "../parts/copy.tsx";
import type { RunJson, VerdictJson } from "../types.ts";
import { queryBlock } from "./query-block.ts";

type Action = "query" | "test" | "baseline";

const names: Readonly<Record<Action, string>> = {
  query: "Copy as query",
  test: "Promote to a test",
  baseline: "Save as baseline",
};

/** Returns the actions for a run. From a failed run, only a test can be made. */
function actionsFor(verdict: VerdictJson | undefined): readonly Action[] {
  return verdict?.outcome === "fail" ? ["test"] : ["query", "test", "baseline"];
}

interface ActionsProps {
  readonly run: RunJson;
  readonly verdict: VerdictJson | undefined;
  readonly children?: ComponentChildren;
}

/** Shows what can be made from a run: a query, a test or a baseline. */
export function Actions({ run, verdict, children }: ActionsProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [action, setAction] = useState<Action>("query");
  const open = (wanted: Action): void => {
    setAction(wanted);
    dialog.current?.showModal();
  };
  return (
    <>
      <div class="actions">
        {children}
        {actionsFor(verdict).map((one) => (
          <button key={one} type="button" onClick={() => open(one)}>
            {names[one]}
          </button>
        ))}
      </div>
      <dialog ref={dialog} aria-labelledby="action-title">
        <h2 id="action-title">{names[action]}</h2>
        <Instructions action={action} run={run} verdict={verdict} />
        <form method="dialog">
          <button>Close</button>
        </form>
      </dialog>
    </>
  );
}

interface InstructionsProps {
  readonly action: Action;
  readonly run: RunJson;
  readonly verdict: VerdictJson | undefined;
}

function Instructions({ action, run, verdict }: InstructionsProps) {
  const spec = verdict === undefined ? "specs/your-spec.yaml" : `specs/${verdict.spec}.yaml`;
  if (action === "query") {
    return (
      <>
        <p>
          Add this under <code>queries:</code> in the agent's spec. It expects the tools of this run; each
          budget is 1.5 times what the run used. Check it before you use it.
        </p>
        <Copyable text={queryBlock(run)} label="Copy query" />
      </>
    );
  }
  if (action === "test") {
    const isPassed = verdict?.outcome === "pass";
    return (
      <>
        <p>
          Writes the redacted telemetry of this run beside the spec, and a query that the run fails.{" "}
          {isPassed
            ? "This run passes its spec. Name a good run with --like, so that the query expects what that run did."
            : "Add --like and the id of a good run, so that the query expects what that run did."}
        </p>
        <Copyable
          text={`tracejury promote ${run.run_id} --spec ${spec}${isPassed ? " --like GOOD_RUN_ID" : ""} --set admin=${window.location.host}`}
        />
        <p class="quiet">
          With the recorded run, you can check that a changed spec still detects the failure. To judge a
          changed agent, run the agent: <code>tracejury test --exec</code>.
        </p>
      </>
    );
  }
  const file = `run-${run.run_id.slice(0, 8)}.jsonl`;
  return (
    <>
      <p>
        <a href={`/api/v1/runs/${encodeURIComponent(run.run_id)}/telemetry`} download={file}>
          Download {file}
        </a>
        : the run's telemetry as it was received, in OTLP/JSON, not redacted.
      </p>
      <p>Then save it under a name; later runs are compared with it:</p>
      <Copyable
        text={`tracejury save ${file} --spec ${spec} --version v1\ntracejury test traces/ --spec ${spec} --baseline v1`}
      />
    </>
  );
}
