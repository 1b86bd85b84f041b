/** Number of arguments with which a call fails on the rest of the stack that `onSmallStack` leaves. */
export const TOO_MANY_ARGUMENTS = 12_000;

/** Depth at which a recursion fails on the rest of the stack. Its frames may be as small as 48 bytes. */
export const TOO_DEEP = 2_500;

/** Frames between two examinations of the stack, because an examination copies many arguments. */
const FRAMES = 100;

/**
 * Calls `work` with about 100 kB of the stack left. A function that recurs over its input, or spreads it into arguments, then fails with a
 * tenth of the input with which it fails on the whole stack.
 */
export function onSmallStack<Result>(work: () => Result, frames = 0): Result {
  return frames % FRAMES === 0 && isSmall() ? work() : onSmallStack(work, frames + 1);
}

const many = Array.from({ length: TOO_MANY_ARGUMENTS }, () => 0);

function isSmall(): boolean {
  try {
    Math.max(...many);
    return false;
  } catch {
    return true;
  }
}
