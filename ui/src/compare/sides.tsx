import { counted } from "../format.ts";
import { periodWords } from "../parts/time-words.ts";
import { parameter, setParameters } from "../route.ts";
import type { SavedVersion } from "./baselines.ts";
import type { Facets } from "./presets.ts";

export const sides = ["a", "b"] as const;
export type SideName = (typeof sides)[number];

/** URL parameters that select the runs of a side, without the prefix of the side. */
const narrowing = [
  "agent",
  "model",
  "model_name",
  "service",
  "version",
  "baseline",
  "attribute",
  "since",
  "until",
] as const;
type Narrowing = (typeof narrowing)[number];

/** Kinds of sides that are selected from a list. */
const kinds = {
  version: "version",
  model_name: "model",
  agent: "agent",
  service: "service",
  baseline: "baseline",
  time: "time",
} as const;
type Kind = keyof typeof kinds;

const times: readonly { readonly words: string; readonly since: string; readonly until: string }[] = [
  { words: "last 24 hours", since: "24h", until: "" },
  { words: "the 24 hours before", since: "48h", until: "24h" },
  { words: "last 7 days", since: "7d", until: "" },
  { words: "the 7 days before", since: "14d", until: "7d" },
];

interface Option {
  readonly words: string;
  readonly parameters: Readonly<Partial<Record<Narrowing, string>>>;
}

/** Returns all parameters of a comparison in the URL. */
export function comparisonParameters(): Readonly<Record<string, string>> {
  const names = ["spec", "query", ...sides.flatMap((side) => narrowing.map((name) => `${side}_${name}`))];
  return Object.fromEntries(names.map((name) => [name, parameter(name)]));
}

export function isChosen(side: SideName): boolean {
  return narrowing.some((name) => parameter(`${side}_${name}`) !== "");
}

/** Values from which the sides can be selected. */
export interface SeenSides {
  readonly facets: Facets["facets"] | undefined;
  readonly baselines: readonly SavedVersion[];
}

/** Controls to select both sides from existing versions, models, agents, services and baselines, and from periods. */
export function SidePickers({ facets, baselines }: SeenSides) {
  return (
    <div class="panel side-pickers">
      {sides.map((side) => (
        <Picker key={side} side={side} options={optionsOf(facets, baselines)} />
      ))}
      <button type="button" onClick={swap} title="Swap A and B">
        ⇄<span class="hidden"> Swap A and B</span>
      </button>
    </div>
  );
}

const otherSide = { a: "b", b: "a" } as const;

function swap(): void {
  setParameters(
    Object.fromEntries(
      sides.flatMap((side) =>
        narrowing.map((name) => [`${side}_${name}`, parameter(`${otherSide[side]}_${name}`)]),
      ),
    ),
  );
}

function Picker({ side, options }: { side: SideName; options: Readonly<Record<Kind, readonly Option[]>> }) {
  const kind = kindOf(side);
  const of = kind === null ? [] : options[kind];
  const chosen = of.findIndex(({ parameters }) =>
    narrowing.every((name) => (parameters[name] ?? "") === parameter(`${side}_${name}`)),
  );
  const pick = (option: Option | undefined): void =>
    setParameters(
      Object.fromEntries(narrowing.map((name) => [`${side}_${name}`, option?.parameters[name] ?? ""])),
    );
  const name = side.toUpperCase();
  return (
    <div class="side-picker" role="group" aria-label={name}>
      <strong class={`dot side-${side}`}>{name}</strong>
      <select
        aria-label={`What ${name} is picked by`}
        value={kind ?? ""}
        onChange={(event) =>
          pick(
            options[event.currentTarget.value as Kind]?.[side === "a" ? 1 : 0] ??
              options[event.currentTarget.value as Kind]?.[0],
          )
        }
      >
        {kind === null && isChosen(side) && <option value="">as in the address</option>}
        {(!isChosen(side) || isChosen(otherSide[side])) && (
          <option value={isChosen(side) ? "rest" : ""}>
            {isChosen(otherSide[side]) ? `the rest: not ${otherSide[side].toUpperCase()}` : "pick by …"}
          </option>
        )}
        {(Object.keys(kinds) as Kind[])
          .filter((one) => options[one].length > 0)
          .map((one) => (
            <option key={one} value={one}>
              {kinds[one]}
            </option>
          ))}
      </select>
      {kind !== null && (
        <select
          aria-label={`${kinds[kind]} of ${name}`}
          value={String(chosen)}
          onChange={(event) => pick(of[Number(event.currentTarget.value)])}
        >
          {chosen < 0 && <option value="-1">{addressWords(side)}</option>}
          {of.map(({ words }, at) => (
            <option key={words} value={String(at)}>
              {words}
            </option>
          ))}
        </select>
      )}
      {kind === null && isChosen(side) && <span class="quiet">{addressWords(side)}</span>}
    </div>
  );
}

/** Returns a side's URL parameters in words, such as `model gpt-4o, last 2 days`. */
export function addressWords(side: SideName): string {
  const of = (name: Narrowing): string => parameter(`${side}_${name}`);
  const named = narrowing
    .filter((name) => name !== "since" && name !== "until" && of(name) !== "")
    .map((name) => `${name === "model_name" ? "model" : name} ${of(name)}`);
  const isTimed = of("since") !== "" || of("until") !== "";
  return [...named, ...(isTimed ? [periodWords(of("since"), of("until"))] : [])].join(", ");
}

/** Returns the kind of a side: the kind of its only URL parameter, or `time` if it has only a period. Null if it has other parameters. */
function kindOf(side: SideName): Kind | null {
  const given = narrowing.filter((name) => parameter(`${side}_${name}`) !== "");
  if (given.length > 0 && given.every((name) => name === "since" || name === "until")) return "time";
  const [only] = given;
  return given.length === 1 && only !== undefined && only in kinds ? (only as Kind) : null;
}

function optionsOf(
  facets: Facets["facets"] | undefined,
  baselines: readonly SavedVersion[],
): Readonly<Record<Kind, readonly Option[]>> {
  const option = (name: Narrowing, value: string, runs: number): Option => ({
    words: `${value} (${counted(runs, "run")})`,
    parameters: { [name]: value },
  });
  const from = (name: keyof Facets["facets"], parameterName: Narrowing): Option[] =>
    (facets?.[name] ?? []).map(({ value, runs }) => option(parameterName, value, runs));
  return {
    version: from("version", "version"),
    model_name: from("model", "model_name"),
    agent: from("agent", "agent"),
    service: from("service", "service"),
    baseline: baselines.map(({ version, runs }) => option("baseline", version, runs)),
    time: times.map(({ words, since, until }) => ({ words, parameters: { since, until } })),
  };
}
