import { noSignOfError, runStatus } from "../../evaluate/checks/correctness/run-status.ts";
import { verdictOutcome } from "../../evaluate/result/layer-result.ts";
import { checks } from "../../evaluate/checks/registry.ts";
import { type Outcome, worst } from "../../model/outcome.ts";
import type { CheckJson, LayerJson, VerdictJson } from "../../report/json/verdict-schema.ts";
import type { DecidedBy } from "../read/stored.ts";
import { decidedBy } from "../write/decided-by.ts";

const SPLIT_REMEDY =
  "Send all spans of a trace to the same process: route by trace id, and change the number of processes seldom.";

/** Keys of checks whose violations no further span can undo. */
const lasting = new Set(checks.filter((check) => !check.undoable).map((check) => check.key));
const undecided: ReadonlySet<Outcome> = new Set(["skip", "incomplete", "error"]);

/**
 * A written verdict, once it is known that spans of its trace went to another process: as it would have been of an incomplete run. What
 * more spans cannot undo stays, all else is `incomplete`.
 */
export function splitVerdict(json: string): {
  readonly json: string;
  readonly outcome: Outcome;
  readonly by: DecidedBy | undefined;
} {
  const verdict = JSON.parse(json) as VerdictJson;
  const { correctness, path, cost } = verdict.layers;
  const layers = { correctness: splitLayer(correctness), path: splitLayer(path), cost: splitLayer(cost) };
  const outcome = verdictOutcome(layers, false);
  const split = {
    ...verdict,
    outcome,
    hard_fail: verdict.hard_fail && outcome === "fail",
    complete: false,
    close_reason: "split",
    layers,
  };
  return { json: JSON.stringify(split), outcome, by: decidedBy(split) };
}

function splitLayer(layer: LayerJson): LayerJson {
  const results = layer.checks.map(splitCheck);
  const outcome = worst(results.map((check) => check.outcome));
  const deciding = results.find((check) => check.outcome === outcome);
  const reason = deciding === undefined ? layer.reason : `${deciding.check}: ${deciding.message}`;
  return { outcome, reason, checks: results };
}

function splitCheck(check: CheckJson): CheckJson {
  const stays = lasting.has(check.check) && check.outcome !== "pass";
  if (stays || undecided.has(check.outcome)) return check;
  if (check.check === runStatus.key) return { ...check, outcome: "skip", message: noSignOfError };
  return {
    ...check,
    outcome: "incomplete",
    message: `parts of the trace went to different processes; so far: ${check.message}`,
    missing: ["run"],
    remedy: SPLIT_REMEDY,
  };
}
