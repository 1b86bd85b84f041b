import { createHash } from "node:crypto";
import type { StoredVerdict } from "../../../store/archive.ts";

const style =
  "body{font:15px/1.5 system-ui,sans-serif;margin:2rem;color:#1d2733;background:#fff}" +
  "table{border-collapse:collapse}th,td{text-align:left;padding:.3rem .9rem .3rem 0;border-bottom:1px solid #dde3ea}" +
  ".fail,.error{color:#b3261e}.warn,.incomplete{color:#8a5a00}.pass{color:#1b6e3c}";

const policy = `default-src 'none'; style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** Returns recent verdicts as an HTML table without scripts. Untrusted text is escaped. */
export function page(verdicts: readonly StoredVerdict[]): Response {
  const body =
    verdicts.length === 0
      ? "<p>No verdicts yet. Point an agent's OTLP exporter at the receiver, by default port 4318.</p>"
      : `<table><tr><th>Outcome</th><th>Agent</th><th>Query</th><th>Spec</th><th>Judged</th></tr>${verdicts.map(row).join("")}</table>`;
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Tracejury</title><style>${style}</style><h1>Recent verdicts</h1>${body}</html>`;
  return new Response(html, {
    headers: { "content-type": "text/html; charset=utf-8", "content-security-policy": policy },
  });
}

function row(verdict: StoredVerdict): string {
  const { verdictId, outcome, agent, queryId, spec, judgedUnixMs } = verdict;
  const link = `<a href="/api/v1/verdicts/${encodeURIComponent(verdictId)}">${escaped(queryId)}</a>`;
  const cells = [escaped(agent ?? "unknown"), link, escaped(spec), new Date(judgedUnixMs).toISOString()];
  return `<tr><td class="${outcome}">${outcome}</td>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
