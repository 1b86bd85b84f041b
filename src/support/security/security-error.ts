/** A security setting that cannot be used: what, why, and how to fix it, in one message. */
export class SecurityError extends Error {
  override readonly name = "SecurityError";
}
