import type { AgentRun, RetrievedDocument, ToolCall } from "../../../model/run.ts";
import type { CompiledQuery } from "../../query/compiled.ts";
import { visibleName } from "../../rules/fold-name.ts";
import { documentsIn } from "./documents-in.ts";

type RetrievalBlock = NonNullable<CompiledQuery["retrieval"]>;

/** One retrieval of a run and its documents. */
export interface Retrieved {
  readonly spanId: string | null;
  /** Retrieved documents; undefined if the telemetry contains none of them. */
  readonly documents: readonly RetrievedDocument[] | undefined;
  /** True if the telemetry may lack further documents of the retrieval. */
  readonly isPartial?: true;
}

/** Returns the run's retrievals. If the block names a tool, the retrievals are calls of this tool; otherwise spans of retrievers. */
export function retrievedBy(run: AgentRun, block: RetrievalBlock): readonly Retrieved[] {
  if (block.tool === undefined)
    return run.retrievals.map(({ spanId, documents, isPartial }) => ({
      spanId,
      documents: isPartial && documents.length === 0 ? undefined : documents,
      ...(isPartial ? { isPartial } : {}),
    }));
  const wanted = visibleName(block.tool);
  return run.tools
    .filter(({ name, executed }) => name !== null && visibleName(name) === wanted && executed !== false)
    .map((call) => ({ spanId: call.spanId, documents: documentsOf(call, block) }));
}

function documentsOf(
  { result, error }: ToolCall,
  { result_format: format = "auto", empty_markers: emptyMarkers }: RetrievalBlock,
): readonly RetrievedDocument[] | undefined {
  // A failed call is a retrieval without documents, even if a result was recorded.
  if (error !== null) return [];
  return result === undefined ? undefined : documentsIn(result, { format, emptyMarkers });
}
