import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";

/*
 * The Action's comment on a pull request, against a server that answers as GitHub's API does.
 */

interface Comment {
  readonly id: number;
  readonly user: { readonly login: string } | null;
  body: string;
}

interface GitHub {
  readonly url: string;
  readonly comments: Comment[];
  readonly written: string[];
}

const bot = "github-actions[bot]";
const mark = "<!-- tracejury-action -->";
const report = "<!-- tracejury-report -->\n1 failed\n";

async function github(comments: readonly Comment[], viewer: string | null = bot): Promise<GitHub> {
  const github = { url: "", comments: comments.map((one) => ({ ...one })), written: [] as string[] };
  const server = createServer((request, response) => {
    void (async () => {
      const { method = "", url = "" } = request;
      const { pathname, searchParams } = new URL(url, "http://localhost");
      const answer = (status: number, body: unknown): void => {
        response.writeHead(status, { "content-type": "application/json" });
        response.end(JSON.stringify(body));
      };
      if (request.headers.authorization !== "Bearer t0ken") return answer(401, {});
      if (pathname === "/graphql") return answer(200, { data: viewer && { viewer: { login: viewer } } });
      const list = pathname === "/repos/team/agents/issues/7/comments";
      if (method === "GET" && list) {
        const page = Number(searchParams.get("page"));
        const size = Number(searchParams.get("per_page"));
        return answer(200, github.comments.slice((page - 1) * size, page * size));
      }
      const { body } = (await json(request)) as { body: string };
      if (method === "POST" && list) {
        github.written.push("new");
        github.comments.push({ id: 1000, user: { login: bot }, body });
        return answer(201, {});
      }
      const id = Number(/^\/repos\/team\/agents\/issues\/comments\/(\d+)$/.exec(pathname)?.[1]);
      const found = github.comments.find((one) => one.id === id);
      if (method !== "PATCH" || found === undefined) return answer(404, {});
      github.written.push(String(id));
      found.body = body;
      return answer(200, {});
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  github.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return github;
}

async function commented({ url }: GitHub, token = "t0ken"): Promise<{ code: number | null; stdout: string }> {
  const folder = temporaryFolder();
  const file = join(folder, "comment.md");
  writeFileSync(file, report);
  const env = {
    PATH: process.env["PATH"],
    TOKEN: token,
    PULL_REQUEST: "7",
    COMMENT: file,
    GITHUB_REPOSITORY: "team/agents",
    GITHUB_API_URL: url,
    GITHUB_GRAPHQL_URL: `${url}/graphql`,
  };
  const child = spawn(process.execPath, ["bin/comment-on-pull-request.js"], { env });
  let stdout = "";
  child.stdout.on("data", (text: Buffer) => (stdout += text.toString()));
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, stdout };
}

const other = (id: number, login: string | null, body: string): Comment => ({
  id,
  user: login === null ? null : { login },
  body,
});

test("the first report is a new comment with a hidden mark, the next one is written over it", async () => {
  const hub = await github([other(1, "ann", "looks good")]);
  expect(await commented(hub)).toMatchObject({ code: 0, stdout: "" });
  expect(hub.comments.at(-1)?.body).toBe(`${report}${mark}\n`);
  await commented(hub);
  expect(hub.written).toEqual(["new", "1000"]);
});

test("a comment of another author is not changed, whatever it contains", async () => {
  const imitations = [
    other(1, "mallory", `${report}${mark}`),
    other(2, "mallory[bot]", `${report}${mark}`),
    other(3, "github-actions", `${report}${mark}`),
    other(4, null, `${report}${mark}`),
    other(5, bot, "a comment of another workflow"),
    other(6, bot, `another workflow quotes:\n${report}${mark}\nand goes on`),
  ];
  const hub = await github(imitations);
  await commented(hub);
  expect(hub.written).toEqual(["new"]);
  expect(hub.comments.slice(0, imitations.length)).toEqual(imitations);
});

test("the own comment is found behind a hundred others, and by the login of any token", async () => {
  const many = Array.from({ length: 250 }, (_, id) => other(id + 1, "ann", `comment ${id}`));
  const hub = await github([...many, other(900, "team-bot[bot]", `${report}\n${mark}\n`)], "team-bot[bot]");
  await commented(hub);
  expect(hub.written).toEqual(["900"]);
});

test.each([
  ["a token that is not accepted", bot, "wrong", "401"],
  ["a token whose owner is not known", null, "t0ken", "owner of the token"],
])("%s is a warning, fails nothing and writes nothing", async (_, viewer, token, why) => {
  const hub = await github([other(1, bot, `${report}${mark}`)], viewer);
  const { code, stdout } = await commented(hub, token);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^::warning::the comment could not be written/);
  expect(stdout).toContain(why);
  expect(hub.written).toEqual([]);
});
