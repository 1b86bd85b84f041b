import { sentence } from "../../../evaluate/result/played-back.ts";
import type { Playback } from "../../../model/playback.ts";
import { faultBetween } from "../../../replay/agent/models/fault-option.ts";
import { modelChoice } from "../../../replay/agent/models/model-option.ts";
import { UserError } from "../../../support/process/exit-code.ts";
import { openPlayedModels } from "./played-models.ts";
import { openProviderModels } from "./provider-models.ts";
import type { TestModels, TestModelsOptions } from "./test-models.ts";

/**
 * Opens a model server between agents and models. Returns null if the agents call their providers directly.
 * @throws UserError for invalid values, or if the recordings contain no model answers
 */
export async function openTestModels(options: TestModelsOptions): Promise<TestModels | null> {
  const choice = modelChoice(options.names);
  const between = faultBetween(options.fault);
  if (between !== undefined && (choice === null || choice.kind === "record"))
    throw new UserError(
      "a fault needs a model server between the agent and its model",
      "add models replay:DUMP, or models live",
    );
  if (choice === null || (choice.kind === "live" && between === undefined)) return null;
  return choice.kind === "replay"
    ? openPlayedModels({ ...options, dumps: choice.dumps, between })
    : openProviderModels({ ...options, file: choice.kind === "record" ? choice.file : null, between });
}

/**
 * If a run is undecided because its model requests differ from the recording, describes the differences.
 * Otherwise null.
 */
export function notAsRecorded(playback: Playback | null): string | null {
  if (playback === null || playback.effect !== "incomplete") return null;
  return playback.divergences.map((one) => `not as recorded: ${sentence(one)}`).join("\n");
}
