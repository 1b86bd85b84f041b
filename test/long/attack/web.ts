import { request } from "node:http";
import { type Attack, repeated } from "./attack.ts";

/** One request with exactly these headers; its status, 0 when the connection was closed. */
function ask(
  address: string,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body = "",
): Promise<number> {
  const { hostname, port } = new URL(`http://${address}`);
  return new Promise((resolve) => {
    const sent = request(
      { hostname, port, path, method, headers, setHost: headers["host"] === undefined },
      (answer) => {
        answer.resume();
        answer.on("close", () => resolve(answer.statusCode ?? 0));
      },
    );
    sent.setTimeout(5_000, () => sent.destroy());
    sent.on("error", () => resolve(0));
    sent.end(body);
  });
}

/** Reads, and changes nothing. */
const reader = { authorization: `Bearer ${process.env["ATTACK_READ_TOKEN"] ?? ""}` };

/** Attacks that a web page, or a program without credentials, makes. */
export const webAttacks: readonly Attack[] = [
  {
    name: "telemetry from a web page of another origin, and by a rebound name",
    run: (target) =>
      repeated(target, 4, async (round) => {
        const headers = { "content-type": "application/json" };
        const more = round % 2 === 0 ? { origin: "https://evil.example" } : { host: "evil.example:4318" };
        const status = await ask(target.http, "POST", "/v1/traces", { ...headers, ...more }, "{}");
        // 0: nothing came for five seconds, which the honest clients measure.
        return status === 403 || status === 0 ? null : `${JSON.stringify(more)} answered ${status}`;
      }),
  },
  {
    name: "the admin port: rebound names, changes from other origins or without credentials, paths, long addresses",
    run: (target) =>
      repeated(target, 4, async (round) => {
        const cases: readonly [
          method: string,
          path: string,
          headers: Record<string, string>,
          expected: number[],
        ][] = [
          ["GET", "/api/v1/runs", { host: "evil.example" }, [403]],
          ["POST", "/api/v1/reload", { origin: "https://evil.example" }, [403]],
          ["POST", "/api/v1/reload", { "sec-fetch-site": "cross-site" }, [403]],
          ["POST", "/api/v1/reload", {}, [401]],
          ["POST", "/api/v1/reload", { authorization: "Bearer guess" }, [401]],
          ["GET", "/ui/..%2f..%2fpackage.json", reader, [400, 404]],
          ["GET", "/ui/..%2F..%2F..%2Fetc%2Fpasswd", reader, [400, 404]],
          ["GET", `/api/v1/verdicts?limit=${"9".repeat(300)}`, reader, [400]],
          ["GET", `/api/v1/runs?query=${"x".repeat(9_000)}`, reader, [200, 400, 404, 414, 431]],
          ["GET", `/${"x".repeat(40_000)}`, {}, [0, 431]],
          ["PUT", "/api/v1/verdicts", {}, [401, 403, 404, 405]],
        ];
        const [method, path, headers, expected] = cases[round % cases.length] ?? ["GET", "/", {}, [200]];
        const status = await ask(target.admin, method, path, headers);
        return expected.includes(status) || status === 0
          ? null
          : `${method} ${path.slice(0, 40)} answered ${status}`;
      }),
  },
];
