import type { AgentRun, RetrievedDocument, ToolCall } from "../../../model/run.ts";
import type { CompiledQuery } from "../../query/compiled.ts";
import { visibleName } from "../../rules/fold-name.ts";
import { documentsIn } from "./documents-in.ts";

type RetrievalBlock = NonNullable<CompiledQuery["retrieval"]>;

/** Documents that one retrieval returned. */
export interface Retrieved {
  readonly spanId: string | null;
  /** Documents of the retrieval; undefined if the telemetry does not contain the documents. */
  readonly documents: readonly RetrievedDocument[] | undefined;
}

/**
 * Returns the run's retrievals: the spans of retrievers, or the calls of the retrieving tool if the block
 * names a tool.
 */
export function retrievedBy(run: AgentRun, block: RetrievalBlock): readonly Retrieved[] {
  if (block.tool === undefined) return run.retrievals;
  const wanted = visibleName(block.tool);
  return run.tools
    .filter(({ name, executed }) => name !== null && visibleName(name) === wanted && executed !== false)
    .map((call) => ({ spanId: call.spanId, documents: documentsOf(call, block) }));
}

function documentsOf(
  { result, error }: ToolCall,
  { result_format: format = "auto", empty_markers: emptyMarkers }: RetrievalBlock,
): readonly RetrievedDocument[] | undefined {
  // A failed call counts as a retrieval without documents, whatever its recorded result is.
  if (error !== null) return [];
  return result === undefined ? undefined : documentsIn(result, { format, emptyMarkers });
}
