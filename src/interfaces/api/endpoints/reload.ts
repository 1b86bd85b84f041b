import { z } from "zod";
import { type Endpoint, endpoint, type Problem } from "../http/endpoint.ts";

const reloaded = z.strictObject({
  ok: z.boolean().describe("Always true; a failed reload gives an error response"),
  why: z.string().describe("The trigger of the reload"),
  reason: z.string().nullable().describe("Always null; the error response has the reason of a failure"),
  at_unix_ms: z.number(),
});
export type Reloaded = z.infer<typeof reloaded>;

/** @param reload reloads the settings and returns the result. If undefined, the process cannot reload */
export function reloadEndpoints(reload: (() => Promise<Reloaded | null>) | undefined): Endpoint[] {
  if (reload === undefined) return [];
  return [
    endpoint({
      method: "post",
      path: "/api/v1/reload",
      summary:
        "Reloads specs, rubrics, certificates, tokens and configuration, as SIGHUP does; if one of them is invalid, nothing changes",
      body: z.strictObject({}),
      answer: reloaded,
      handle: async () => {
        const went = await reload();
        return went === null || went.reason === null ? { json: went } : { problem: refused(went.reason) };
      },
    }),
  ];
}

function refused(reason: string): Problem {
  return {
    status: 409,
    what: "Nothing was reloaded: the previous files stay in use.",
    why: reason,
    fix: "Fix the problem, and reload again. The collector's log contains the file and line of the problem.",
  };
}
