import type { Row } from "./rows.ts";

const gap = 14;
/** Maximum number of lanes. If there are more agents, the last ones share a lane. */
const mostLanes = 6;

/** The lanes of the agents in one row. Marks the agents that are active, the agent of the step, and the target of a hand-off. */
export function LaneMark(props: {
  rows: readonly Row[];
  index: number;
  lanes: readonly string[];
  height: number;
}) {
  const { rows, index, lanes, height } = props;
  const row = rows[index];
  if (row === undefined) return null;
  const shown = Math.min(lanes.length, mostLanes);
  const at = (agent: string): number => Math.min(lanes.indexOf(agent), mostLanes - 1);
  const x = (lane: number): number => gap / 2 + lane * gap;
  const own = at(row.agent);
  const target = row.to === null ? null : at(row.to);
  const middle = height / 2;
  return (
    <svg class="lanes" width={shown * gap} height={height} aria-hidden="true">
      {Array.from({ length: shown }, (_, lane) => (
        <line key={lane} class={`lane-${lane}`} x1={x(lane)} x2={x(lane)} y1="0" y2={height} />
      ))}
      {target === null ? (
        <circle class={`lane-${own}`} cx={x(own)} cy={middle} r="4.5" />
      ) : (
        <>
          <path
            class={`lane-${target} arrow`}
            d={`M${x(own)} ${middle - 9} C ${x(own)} ${middle + 3}, ${x(target)} ${middle - 5}, ${x(target)} ${middle + 6}`}
          />
          <path class={`lane-${target} head`} d={`M${x(target) - 4.5} ${middle + 4} h9 l-4.5 7 z`} />
        </>
      )}
    </svg>
  );
}
