#!/usr/bin/env node
// Writes a report as a comment on a pull request, or updates the comment of an earlier build. It finds this comment by its author, who is
// the owner of the token, and by a hidden mark at its end. Other comments are never changed. Environment: TOKEN, PULL_REQUEST (number),
// COMMENT (file), and the workflow's GITHUB_REPOSITORY, GITHUB_API_URL, GITHUB_GRAPHQL_URL.
import { existsSync, readFileSync } from "node:fs";

const MARK = "<!-- tracejury-action -->";
const PAGE = 100;
const TIMEOUT_MS = 30_000;

const {
  TOKEN = "",
  PULL_REQUEST = "",
  COMMENT = "",
  GITHUB_REPOSITORY = "",
  GITHUB_API_URL = "https://api.github.com",
  GITHUB_GRAPHQL_URL = "https://api.github.com/graphql",
} = process.env;

try {
  if (existsSync(COMMENT)) await comment(`${readFileSync(COMMENT, "utf8").trimEnd()}\n${MARK}\n`);
} catch (error) {
  const why = (error instanceof Error ? error.message : String(error)).replaceAll(/[\r\n%]+/g, " ");
  console.log(
    `::warning::the comment could not be written (${why}). Give the job the permission pull-requests: write.`,
  );
}

/** @param {string} body */
async function comment(body) {
  const comments = `${GITHUB_API_URL}/repos/${GITHUB_REPOSITORY}/issues/${PULL_REQUEST}/comments`;
  const earlier = await findOwn(comments, await ownLogin());
  if (earlier === undefined) await call(comments, "POST", { body });
  else
    await call(`${GITHUB_API_URL}/repos/${GITHUB_REPOSITORY}/issues/comments/${earlier}`, "PATCH", { body });
}

/**
 * Returns the login of the token's owner. Uses a GraphQL query, because the REST endpoint `/user` works only for people, and not for apps
 * and workflows.
 */
async function ownLogin() {
  const answer = await call(GITHUB_GRAPHQL_URL, "POST", { query: "{ viewer { login } }" });
  const login = answer?.data?.viewer?.login;
  if (typeof login !== "string" || login === "") throw new Error("the owner of the token is unknown");
  return login;
}

/**
 * @param {string} comments
 * @param {string} login
 */
async function findOwn(comments, login) {
  for (let page = 1; ; page++) {
    const found = await call(`${comments}?per_page=${PAGE}&page=${page}`, "GET");
    const own = found.find(
      ({ user, body }) => user?.login === login && String(body).trimEnd().endsWith(MARK),
    );
    if (own !== undefined) return own.id;
    if (found.length < PAGE) return undefined;
  }
}

/**
 * @param {string} url
 * @param {string} method
 * @param {object} [content]
 * @returns {Promise<unknown>} the JSON of the answer
 */
async function call(url, method, content) {
  const response = await fetch(url, {
    method,
    // Rejects redirects, because a redirect could send the token to another server.
    redirect: "error",
    headers: {
      accept: "application/vnd.github+json",
      authorization: `Bearer ${TOKEN}`,
      "content-type": "application/json",
      "user-agent": "tracejury",
    },
    ...(content === undefined ? {} : { body: JSON.stringify(content) }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (!response.ok)
    throw new Error(`${method} ${new URL(url).pathname} answered with HTTP status ${response.status}`);
  return response.json();
}
