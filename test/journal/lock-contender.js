// Takes and releases a folder's lock on its parent's messages, and answers whether it holds the lock.
import { acquireLock } from "../../dist/src/journal/disk/lock.js";

let lock = null;
process.on("message", (question) => void answer(question));
process.send({ holds: false });

async function answer({ take, folder }) {
  if (take) {
    lock = await acquireLock(folder).catch(() => null);
    process.send({ holds: lock !== null });
  } else {
    await lock?.release();
    lock = null;
    process.send({ holds: false });
  }
}
