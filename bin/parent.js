// Ends this process when `npm start` is ended. This is needed because npm forwards SIGTERM only to the shell that runs the script, and the
// shell does not forward it. The `ppid` of a process changes when its parent has ended.
const LOOK_EVERY_MS = 500;
const parent = process.ppid;

setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, "SIGTERM");
}, LOOK_EVERY_MS).unref();
