// Takes and releases a folder's lock on its parent's messages, and answers whether it holds the lock, or why not.
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { acquireLock } from "../../dist/src/journal/disk/lock.js";

let lock = null;
process.on("message", (question) => void answer(question));
process.send({ holds: false });

async function answer({ take, folder, options, startLine }) {
  let why;
  if (startLine !== undefined) beginTogether(startLine);
  if (take) {
    lock = await acquireLock(folder, options).catch((error) => {
      why = error.message;
      return null;
    });
  } else {
    await lock?.release();
    lock = null;
  }
  process.send({ holds: lock !== null, why, pid: process.pid });
}

/** Blocks until `count` processes have called it for the folder, so that they begin at the same moment. */
function beginTogether({ folder, count }) {
  writeFileSync(join(folder, String(process.pid)), "");
  while (readdirSync(folder).length < count);
}
