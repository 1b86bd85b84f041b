import { type Attack, repeated } from "./attack.ts";
import { ask, type Outcome } from "./request.ts";

/** A token that may read but not change anything. */
const reader = { authorization: `Bearer ${process.env["ATTACK_READ_TOKEN"] ?? ""}` };

/** Attacks from a web page, or from a program without credentials. */
export const webAttacks: readonly Attack[] = [
  {
    name: "telemetry from a web page of another origin, and by a rebound name",
    run: (target) =>
      repeated(target, 4, async (round) => {
        const headers = { "content-type": "application/json" };
        const more = round % 2 === 0 ? { origin: "https://evil.example" } : { host: "evil.example:4318" };
        const about = { address: target.http, method: "POST", path: "/v1/traces", body: "{}" };
        const outcome = await ask({ ...about, headers: { ...headers, ...more } });
        return outcome === 403 ? null : `${JSON.stringify(more)} answered ${outcome}`;
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
          expected: Outcome[],
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
          ["GET", `/${"x".repeat(40_000)}`, {}, ["closed", 431]],
          ["PUT", "/api/v1/verdicts", {}, [401, 403, 404, 405]],
        ];
        const [method, path, headers, expected] = cases[round % cases.length] ?? ["GET", "/", {}, [200]];
        const outcome = await ask({ address: target.admin, method, path, headers, body: "" });
        return expected.includes(outcome) ? null : `${method} ${path.slice(0, 40)} answered ${outcome}`;
      }),
  },
];
