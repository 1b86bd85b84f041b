// Takes and releases a folder's lock on its parent's messages, and answers whether it holds the lock, or why not.
import { acquireLock } from "../../dist/src/journal/disk/lock.js";

let lock = null;
process.on("message", (question) => void answer(question));
process.send({ holds: false });

async function answer({ take, folder, options }) {
  let why;
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
