// Ends `npm start` with npm. npm forwards SIGTERM only to the shell that runs the script, and the shell ends
// without this process. A process whose parent has ended belongs to another parent, which shows in its number.
const LOOK_EVERY_MS = 500;
const parent = process.ppid;

setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, "SIGTERM");
}, LOOK_EVERY_MS).unref();
