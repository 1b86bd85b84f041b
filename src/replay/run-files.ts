import type { Trace } from "../assemble/trace.ts";
import type { AgentRun } from "../model/run.ts";

/** Maximum number of traces whose files are remembered until their runs are assembled; limits the memory of a long replay. */
const MOST_TRACES = 50_000;

/** Remembers which files contain each trace, for runs whose spans are in several files. */
export class RunFiles {
  readonly #filesByTraceId = new Map<string, readonly string[]>();

  add({ traceId, spans }: Trace): void {
    const files = new Set(this.#filesByTraceId.get(traceId));
    for (const { source } of spans) if (source !== undefined) files.add(source.file);
    this.#filesByTraceId.delete(traceId);
    this.#filesByTraceId.set(traceId, [...files]);
    if (this.#filesByTraceId.size <= MOST_TRACES) return;
    for (const oldest of this.#filesByTraceId.keys()) {
      this.#filesByTraceId.delete(oldest);
      break;
    }
  }

  /** Adds the names of its files to a run if its traces are in several files. Returns the run. */
  addTo(run: AgentRun): AgentRun {
    const found = new Set(run.traceIds.flatMap((id) => this.#filesByTraceId.get(id) ?? []));
    if (found.size < 2) return run;
    const first = run.source?.file ?? run.turns?.[0]?.source?.file;
    const others = [...found].filter((file) => file !== first).toSorted();
    return Object.defineProperty(run, "sources", {
      value: first === undefined ? others : [first, ...others],
      configurable: true,
    });
  }
}
