import { judgesConversations } from "../../pipeline/claim.ts";
import type { CollectorOptions, ConfigReload } from "./options.ts";

/**
 * Throws if a restart is needed to apply a reloaded configuration.
 *
 * @throws Error if the new specs judge conversations, but the specs at the start did not; or if the new specs or settings read an attribute
 * that this process does not record in runs
 */
export function needsNoRestart(begun: CollectorOptions, { by, settings }: ConfigReload): void {
  if (judgesConversations(by.specs) && !judgesConversations(begun.specs)) {
    throw new Error(
      "a changed spec judges conversations, but no spec did when the collector started: restart the collector",
    );
  }
  const kept = new Set(begun.settings.attributes);
  const missing = settings.attributes.filter((name) => !kept.has(name));
  if (missing.length > 0) {
    throw new Error(
      `the new specs or configuration read ${missing.join(", ")}, which this collector does not record in runs: restart the collector`,
    );
  }
}
