import type { JudgePort } from "../../evaluate/judge/ask/port.ts";
import type { JudgedRun } from "../../pipeline/judge-run.ts";
import { detectors } from "../../support/redact/detectors/detectors.ts";
import { redactRun, redactUnjudged, redactVerdict } from "../../support/redact/redact-run.ts";
import { type RedactionSettings, Redactor } from "../../support/redact/redactor.ts";

/** Returns a redactor for the settings; null if they redact nothing. */
export function openRedactor(settings: RedactionSettings): Redactor | null {
  const { keys, patterns, detectors } = settings;
  return keys.length + patterns.length + detectors.length === 0 ? null : new Redactor(settings);
}

/** Redaction of files that are created from runs. */
export type RedactChoice = "none" | "secrets" | "all";

/**
 * Returns the redactor for `--redact`; null for `none`. `secrets` and `all` also apply `redact` of the
 * configuration.
 */
export function fixtureRedactor(choice: RedactChoice, configured: RedactionSettings): Redactor | null {
  if (choice === "none") return null;
  const own = choice === "secrets" ? (["keys"] as const) : detectors;
  return openRedactor({ ...configured, detectors: [...new Set([...own, ...configured.detectors])] });
}

/** Returns a redacted copy of a judged run for the store, exports and reports. The checks were made with the run before redaction. */
export function redactJudged(judged: JudgedRun, redactor: Redactor | null): JudgedRun {
  if (redactor === null) return judged;
  const run = redactRun(judged.run, redactor);
  return {
    ...judged,
    run,
    verdicts: judged.verdicts.map((verdict) => redactVerdict(verdict, run, redactor)),
    unmatched: judged.unmatched.map((one) => redactUnjudged(one, run, redactor)),
    ambiguous: judged.ambiguous.map((one) => redactUnjudged(one, run, redactor)),
  };
}

/** Wraps a `JudgePort`, so that judge models receive redacted texts. */
export function redactedJudges(port: JudgePort, redactor: Redactor | null): JudgePort {
  if (redactor === null) return port;
  return {
    unavailable: (model) => port.unavailable(model),
    ask: (request) =>
      port.ask({
        ...request,
        user: redactor.text(request.user),
        userPrefix: redactor.text(request.userPrefix ?? ""),
        system: redactor.text(request.system),
      }),
  };
}
