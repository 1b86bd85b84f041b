// Takes and releases a folder's lock when its parent says so, and answers whether it has it.
import { acquireLock } from "../../dist/src/journal/lock.js";

let lock = null;
process.on("message", async ({ take, folder }) => {
  if (take) {
    lock = await acquireLock(folder).catch(() => null);
    process.send({ holds: lock !== null });
  } else {
    await lock?.release();
    lock = null;
    process.send({ holds: false });
  }
});
process.send({ holds: false });
