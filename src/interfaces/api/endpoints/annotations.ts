import { z } from "zod";
import { type Endpoint, endpoint, forgotten, notFound } from "../http/endpoint.ts";
import { shareOfChanges } from "../../../evaluate/metrics/changes.ts";
import type { Annotation, Archive, Changes } from "../../../store/archive.ts";
import { defined } from "./verdicts.ts";

const label = z.enum(["pass", "fail"]);
const longest = 10_000;

const part = z.int().min(0).nullable().default(null);

const changes = z
  .strictObject({ total: z.int().min(0), failed: part, reverted: part })
  .refine(({ total, failed, reverted }) => (failed ?? 0) <= total && (reverted ?? 0) <= total, {
    message: "`failed` and `reverted` must not be greater than `total`",
  });

const share = z.number().nullable();

const fresh = z.strictObject({
  run_id: z.string().min(1).max(200),
  verdict_id: z.string().min(1).max(200).nullable().default(null),
  label: label.nullable().default(null).describe("Whether the agent was right, regardless of the verdict"),
  note: z.string().max(longest).default(""),
  author: z.string().max(200).nullable().default(null),
  changes: changes.nullable().default(null).describe("Outcomes of the changes that the run made"),
});

const annotation = z.strictObject({
  id: z.number(),
  run_id: z.string(),
  verdict_id: z.string().nullable(),
  label: label.nullable(),
  note: z.string(),
  author: z.string().nullable(),
  changes: changes.nullable(),
  created_unix_ms: z.number(),
});

/** Returns what was last reported about the code changes of each run, by run id. `annotations` must be ordered newest first. */
function lastChanges(annotations: readonly Annotation[]) {
  const byRun = new Map<string, Changes>();
  for (const { run_id: runId, changes: reported } of annotations) {
    if (reported != null && !byRun.has(runId)) byRun.set(runId, reported);
  }
  return Object.fromEntries(
    [...byRun].map(([runId, { total, failed, reverted }]) => [
      runId,
      {
        total,
        failed,
        reverted,
        cfp: shareOfChanges(failed, total),
        pr_revert_rate: shareOfChanges(reverted, total),
      },
    ]),
  );
}

export function annotationEndpoints(archive: Archive, now: () => number): Endpoint[] {
  return [
    endpoint({
      path: "/api/v1/annotations",
      summary: "Labels and notes about runs and verdicts, newest first",
      query: z.strictObject({
        run: z.string().optional(),
        verdict: z.string().optional(),
        label: label.optional(),
      }),
      answer: z.strictObject({ annotations: z.array(annotation) }),
      handle: async ({ query }) => ({ json: { annotations: await archive.annotations(defined(query)) } }),
    }),
    endpoint({
      method: "post",
      path: "/api/v1/annotations",
      summary:
        "Add an annotation to a run or one of its verdicts: a label, a note, or the outcomes of its changes",
      body: fresh,
      status: 201,
      answer: annotation,
      handle: async ({ body }) => {
        const added = await archive.annotate(body, now());
        if (added !== undefined) return { json: added };
        const what = body.verdict_id === null ? "" : ` with the verdict "${body.verdict_id}"`;
        return { problem: notFound(`There is no run "${body.run_id}"${what}.`, forgotten) };
      },
    }),
    endpoint({
      method: "delete",
      path: "/api/v1/annotations/{id}",
      summary: "Delete an annotation",
      answer: z.strictObject({ deleted: z.boolean() }),
      handle: async ({ path }) => {
        const id = path["id"] ?? "";
        const deleted = /^\d{1,15}$/.test(id) && (await archive.removeAnnotation(Number(id)));
        return deleted
          ? { json: { deleted } }
          : { problem: notFound(`There is no annotation "${id}".`, forgotten) };
      },
    }),
    endpoint({
      path: "/api/v1/changes",
      summary: "Last reported outcomes of each run's changes, with the shares that failed and were reverted",
      answer: z.record(
        z.string(),
        z.strictObject({
          total: z.number(),
          failed: share,
          reverted: share,
          cfp: share,
          pr_revert_rate: share,
        }),
      ),
      handle: async () => ({ json: lastChanges(await archive.annotations({})) }),
    }),
    endpoint({
      path: "/api/v1/labels",
      summary: "The last label of each run by run id, as `judge-audit --labels` reads them",
      answer: z.record(z.string(), label),
      handle: async () => ({ json: Object.fromEntries(await archive.labels()) }),
    }),
  ];
}
