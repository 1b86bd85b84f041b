import type { ComponentChildren } from "preact";
import { useRef, useState } from "../hooks.ts";
import { Copyable } from "../parts/copy.tsx";
import type { RunJson, VerdictJson } from "../types.ts";
import { queryBlock } from "./query-block.ts";

type Action = "query" | "propose" | "fixture" | "baseline";

const names: Readonly<Record<Action, string>> = {
  query: "Copy as query",
  propose: "Propose a test",
  fixture: "Promote to fixture",
  baseline: "Save as baseline",
};

interface ActionsProps {
  readonly run: RunJson;
  readonly verdict: VerdictJson | undefined;
  /** Further actions. */
  readonly children?: ComponentChildren;
}

/** What a run can be made into. */
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
        {(["query", "propose", "fixture", "baseline"] as const).map((one) => (
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
  const file = `run-${run.run_id.slice(0, 8)}.jsonl`;
  const download = (
    <p>
      <a href={`/api/v1/runs/${encodeURIComponent(run.run_id)}/telemetry`} download={file}>
        Download {file}
      </a>
      : the run's telemetry as it came, OTLP/JSON.
    </p>
  );
  const spec = verdict === undefined ? "specs/your-spec.yaml" : `specs/${verdict.spec}.yaml`;
  if (action === "query") {
    return (
      <>
        <p>
          Under <code>queries:</code> of the agent's spec. It expects the tools this run used, with half as
          much again as the budget; look at it before you rely on it.
        </p>
        <Copyable text={queryBlock(run)} label="Copy query" />
      </>
    );
  }
  if (action === "propose") {
    return (
      <>
        <p>
          Writes a redacted dump of this run and a query that it fails, marked with <code>expected_fail</code>
          , beside the spec; nothing where the spec notices as much already.
        </p>
        <Copyable
          text={`tracejury propose ${run.run_id} --spec ${spec} --set admin=${window.location.host}`}
        />
      </>
    );
  }
  if (action === "fixture") {
    return (
      <>
        {download}
        <p>Keep it with your tests; every later change of spec or agent is then judged against it in CI:</p>
        <Copyable
          text={`mkdir -p traces && mv ~/Downloads/${file} traces/\ntracejury test traces/ --spec ${spec}`}
        />
      </>
    );
  }
  return (
    <>
      {download}
      <p>Then save it under a name; later runs are compared with it:</p>
      <Copyable
        text={`tracejury save ${file} --spec ${spec} --version v1\ntracejury test traces/ --spec ${spec} --baseline v1`}
      />
    </>
  );
}
