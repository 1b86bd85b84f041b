import { z } from "zod";
import { defineCheck } from "../check.ts";
import { known, pass, skip, violated } from "../../result/finding.ts";
import { answerSpans } from "./answer.ts";

/** Check of the run's final status. Every query has this check; the default is `ok`. */
export const runStatus = defineCheck({
  key: "run_status",
  layer: "correctness",
  metric: "run_status",
  summary:
    "The run ended without an error (`ok`, the default of every query), with an error (`error`), or in any way (`any`).",
  details:
    "A run failed if its root, an agent, a workflow or a step ended in an error that no later model call followed, if its last model call failed, if a guardrail stopped it, or if it ended with a failed tool and has no answer. An answer that is a model server's error message counts as a failure, too. The check's message is the text of the error. A handled tool error or a retried attempt does not fail the run. If the status is unknown, or if an incomplete run has no error, the check decides nothing. If a failed run has no answer, judges are skipped. A check whose evidence is missing because of the error is skipped, too. All other checks still apply.",
  limit: z.enum(["ok", "error", "any"]),
  unwritten: "ok",
  undoable: false,
  prepare(limit) {
    const ended = known(pass("ok", "the run ended without an error"));
    const anyAccepted = known(skip("any status is accepted"));
    return (context) => {
      const { status, error, complete } = context.run;
      if (limit === "any") return anyAccepted;
      if (status === "error") {
        if (limit === "error") return pass(status, `the run ended in an error: ${error ?? NO_TEXT}`);
        return violated(status, error ?? `the run ended in an error: ${NO_TEXT}`, answerSpans(context));
      }
      if (status === null) return unknownStatus;
      if (!complete) return noError;
      return limit === "ok"
        ? ended
        : violated(status, "the run ended without an error", answerSpans(context));
    };
  },
});

const NO_TEXT = "the telemetry has no error message";
const unknownStatus = skip("the telemetry does not show how the run ended");
/** Message for an incomplete run whose received spans show no error. The check is then skipped. */
export const noSignOfError = "the run is incomplete, and its received spans show no error";
const noError = skip(noSignOfError, "ok");
