import { openConfined, OutsideError } from "../../support/process/confined.ts";
import { PullError } from "../pull-error.ts";

/**
 * Opens a file of a folder that is pulled into; a new one is readable by its owner alone: traces hold what people wrote.
 * @throws PullError where a link leads out of the folder
 */
export function openInFolder(folder: string, name: string, flags: number): number {
  try {
    return openConfined(folder, name, flags);
  } catch (error) {
    if (error instanceof OutsideError)
      throw new PullError(error.message, "remove that link, or pull into another folder");
    throw error;
  }
}
