// Loaded into `serve` before anything else. While the file named by CHAOS_FAULT exists, writing the journal fails with the code in it;
// with CHAOS_CLOCK the clock jumps by up to an hour, ten times a second.
import fs, { existsSync, readFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";

const flag = process.env.CHAOS_FAULT ?? "";

function fault() {
  if (flag === "" || !existsSync(flag)) return null;
  const code = readFileSync(flag, "utf8").trim();
  return code === "" ? null : Object.assign(new Error(`${code}: made by the test`), { code });
}

const file = await open(process.execPath, "r");
const handles = Object.getPrototypeOf(file);
await file.close();

const { writev, datasync } = handles;
handles.writev = async function (parts, ...rest) {
  const error = fault();
  if (error === null) return writev.call(this, parts, ...rest);
  await writev.call(this, [Buffer.concat(parts).subarray(0, 50)], ...rest); // a part of it gets there
  throw error;
};
handles.datasync = async function () {
  const error = fault();
  if (error !== null) throw error;
  return datasync.call(this);
};

const openFile = fs.promises.open;
fs.promises.open = async (path, flags, ...rest) => {
  const error = flags === "wx" || flags === "r+" ? fault() : null;
  if (error !== null) throw error;
  return openFile(path, flags, ...rest);
};

if (process.env.CHAOS_CLOCK !== undefined) {
  const { now } = Date;
  let offset = 0;
  setInterval(() => {
    offset = Math.round((Math.random() * 2 - 1) * 3_600_000);
  }, 100).unref();
  Date.now = () => now() + offset;
}

syncBuiltinESMExports();
