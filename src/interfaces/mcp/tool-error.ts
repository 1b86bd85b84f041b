/** A tool cannot do what it was asked; the message says what, where, and how to go on. Goes to the model as it is. */
export class ToolError extends Error {
  override readonly name = "ToolError";
}
