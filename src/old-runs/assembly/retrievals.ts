import { isArray, isObject, type JsonObject, type JsonValue } from "../../model/json.ts";
import type { Retrieval, RetrievedDocument } from "../../model/run.ts";
import type { SpanNode } from "../span/span-node.ts";
import { pick, pickObject, pickText } from "../messages/pick.ts";
import { unfold } from "../messages/unfold.ts";
import { queryIn } from "../span/read-texts.ts";

/** What a retriever's span found, and for which query. */
export function retrievalOf(node: SpanNode): Retrieval {
  return {
    spanId: node.span.spanId,
    query: node.text("retrievalQuery") ?? queryIn(node.json("input")) ?? null,
    documents: documentsIn(node.json("documents") ?? node.json("output")),
  };
}

function documentsIn(value: JsonValue | undefined): RetrievedDocument[] {
  const inner = value === undefined ? undefined : unfold(value);
  const list = isObject(inner)
    ? pick(inner, "documents", "docs", "nodes", "results", "data", "output")
    : inner;
  return isArray(list) ? list.flatMap(documentOf) : [];
}

function documentOf(value: JsonValue): RetrievedDocument[] {
  const inner = unfold(value);
  if (typeof inner === "string") return [{ id: null, content: inner, score: null }];
  if (!isObject(inner)) return [];
  const core: JsonObject = pickObject(inner, "document", "node", "kwargs") ?? inner;
  const score = pick(inner, "score", "similarity", "relevance_score") ?? pick(core, "score");
  return [
    {
      id: pickText(core, "id", "id_", "document_id") ?? null,
      content: pickText(core, "content", "page_content", "pageContent", "text") ?? null,
      score: typeof score === "number" ? score : null,
    },
  ];
}
