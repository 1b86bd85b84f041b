import { counted } from "../format.ts";
import {
  adviceId,
  type EvidenceCount,
  type Instrumentation,
  instrumentationNames,
  serviceName,
} from "./instrumentation.ts";

/** Kinds of evidence in the order of the columns, with the column heads. */
const columns: readonly (readonly [name: string, head: string])[] = [
  ["query", "query"],
  ["answer", "answer"],
  ["messages", "messages"],
  ["system_instructions", "system"],
  ["tool_definitions", "tool defs"],
  ["tool_arguments", "tool args"],
  ["tool_results", "tool results"],
  ["usage", "usage"],
  ["agent_names", "agent names"],
  ["session_ids", "sessions"],
];

/**
 * For each service and instrumentation, shows how many runs and calls contain the evidence that checks need. Rows with the most missing
 * evidence are first.
 */
export function EvidenceTable({ rows, runs }: { rows: readonly Instrumentation[]; runs: number }) {
  return (
    <section class="panel" aria-labelledby="evidence-title">
      <header>
        <h2 id="evidence-title">Which instrumentation loses data?</h2>
        <span class="quiet">
          {rows.length > 1 && "most lost first · "}
          evidence in {runs === 1 ? "the last run, its" : `the last ${runs} runs, their`} calls and results
        </span>
      </header>
      <div class="scroll" role="region" aria-label="Evidence by service and instrumentation" tabIndex={0}>
        <table class="evidence-table">
          <thead>
            <tr>
              <th scope="col">Service and instrumentation</th>
              {columns.map(([name, head]) => (
                <th key={name} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((one) => (
              <tr key={`${one.service} ${instrumentationNames(one)}`}>
                <th scope="row">
                  {serviceName(one)}{" "}
                  <span class="quiet">
                    {instrumentationNames(one)}, {counted(one.runs, "run")}
                  </span>
                </th>
                {columns.map(([name]) => (
                  <Cell
                    key={name}
                    count={one.evidence[name]}
                    isOptional={name === "session_ids"}
                    advice={`#${adviceId(one)}`}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <footer>
        ✓ all · ▲ less than nine in ten · ✗ less than half · – does not occur in these runs. ▲ and ✗ link to
        what to switch on. Sessions are optional.
      </footer>
    </section>
  );
}

interface CellProps {
  readonly count: EvidenceCount | undefined;
  readonly isOptional: boolean;
  /** Address of the settings that record the evidence. */
  readonly advice: string;
}

function Cell({ count, isOptional, advice }: CellProps) {
  if (count === undefined || count.of === 0) return <td class="quiet">–</td>;
  const { have, of } = count;
  if (have === of) return <td class="mark pass">✓</td>;
  const figures = `${have}/${of}`;
  if (isOptional || have / of >= 0.9) return <td class="quiet">{figures}</td>;
  return have / of < 0.5 ? (
    <td class="mark fail lost">
      <a href={advice}>✗ {figures}</a>
    </td>
  ) : (
    <td class="mark warn">
      <a href={advice}>▲ {figures}</a>
    </td>
  );
}
