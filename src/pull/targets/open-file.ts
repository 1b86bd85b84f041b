import { openConfined, OutsideError } from "../../support/process/confined.ts";
import { UserError } from "../../support/process/io.ts";

/**
 * Opens a file in the folder. Only the owner can read a new file, because traces contain users' content.
 * @throws UserError if a symbolic link leads out of the folder
 */
export function openInFolder(folder: string, name: string, flags: number): number {
  try {
    return openConfined(folder, name, flags);
  } catch (error) {
    if (error instanceof OutsideError)
      throw new UserError(error.message, "remove that link, or pull into another folder");
    throw error;
  }
}
