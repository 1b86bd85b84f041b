import { openConfined, OutsideError } from "../../support/process/confined.ts";
import { PullError } from "../pull-error.ts";

/**
 * Opens a file in a pull's folder. A new file is readable only by its owner, because traces contain user
 * content.
 * @throws PullError if a symbolic link leads out of the folder
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
