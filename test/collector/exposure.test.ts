import { expect, test } from "vitest";
import { runCliWith } from "../support/run-cli.ts";

const local = ["--set", "receive.grpc=off", "--set", "admin=127.0.0.1:0", "--spec", "specs/rag-agent.yaml"];

test.each([
  ["receive.http", ["--set", "receive.http=0.0.0.0:0"], {}],
  ["admin", ["--set", "receive.http=127.0.0.1:0", "--set", "admin=0.0.0.0:0"], {}],
  [
    "receive.http",
    ["--set", "receive.http=0.0.0.0:0", "--set", "security.tokens=[{ token: '${env:T}', scopes: [read] }]"],
    { T: "t0ken" },
  ],
])("serve refuses to open %s without credentials", async (setting, words, env) => {
  const ran = await runCliWith({ env }, "serve", ...local, ...words);
  expect(ran.code).toBe(2);
  expect(ran.stdout).toBe("");
  expect(ran.stderr).toContain(`${setting}: other machines can reach 0.0.0.0:0, without credentials`);
  expect(ran.stderr).toContain("security.open_without_auth");
  expect(ran.stderr).not.toContain("t0ken");
});
