// Ends the process if `npm start` is ended. npm forwards SIGTERM only to the shell that runs the script, and the shell does not forward it.
// When a process's parent has ended, its `ppid` changes.
const LOOK_EVERY_MS = 500;
const parent = process.ppid;

setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, "SIGTERM");
}, LOOK_EVERY_MS).unref();
