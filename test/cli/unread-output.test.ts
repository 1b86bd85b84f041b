import { spawn } from "node:child_process";
import { expect, test } from "vitest";

test("who reads only the beginning gets it, and the exit code is the command's own", async () => {
  const child = spawn(process.execPath, ["bin/tracejury.js", "schema", "spec"], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
  child.stdout.once("data", () => child.stdout.destroy());
  const code = await new Promise((resolve) => child.once("close", resolve));
  expect({ code, said }).toEqual({ code: 0, said: "" });
});
