import { z } from "zod";
import { defineCheck } from "../check.ts";
import { known, pass, skip, violated } from "../../result/finding.ts";
import { rootSpan } from "./answer.ts";

export const runStatus = defineCheck({
  key: "run_status",
  layer: "correctness",
  summary:
    "`ok` (also without this key): the run ended without an error. `error`: the run ended in an error. `any`: the check is skipped.",
  details:
    "Skipped if the status is unknown, or if an incomplete run shows no error. If the run ended in an error, the message contains the error's text. See *How a run ends*.",
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
        if (limit === "error")
          return pass(status, `the run ended in an error, as expected: ${error ?? NO_TEXT}`);
        return violated(status, error ?? `the run ended in an error: ${NO_TEXT}`, rootSpan(context));
      }
      if (status === null) return unknownStatus;
      if (!complete) return noError;
      return limit === "ok" ? ended : violated(status, "the run ended without an error", rootSpan(context));
    };
  },
});

const NO_TEXT = "the telemetry has no error message";
const unknownStatus = skip("the telemetry does not show how the run ended");
/** Reason for skipping the check: the run is incomplete, and its received spans show no error. */
export const noSignOfError = "the run is incomplete, and its received spans show no error";
const noError = skip(noSignOfError, "ok");
