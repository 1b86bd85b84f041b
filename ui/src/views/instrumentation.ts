export interface Advice {
  readonly evidence: readonly string[];
  readonly producer: string;
  readonly set: string;
  readonly page: string;
}

export interface EvidenceCount {
  readonly state: "present" | "partial" | "absent" | "not_seen";
  readonly have: number;
  readonly of: number;
  readonly unit: string;
}

/** The findings of `doctor` for the runs of one service with the same instrumentations. */
export interface Instrumentation {
  readonly service: string | null;
  readonly runs: number;
  readonly producers: readonly {
    readonly scope: string;
    readonly version: string | null;
    readonly name: string | null;
  }[];
  readonly evidence: Readonly<Record<string, EvidenceCount>>;
  readonly advice: readonly Advice[];
  readonly limits: readonly { readonly what: string; readonly producer: string; readonly why: string }[];
  readonly other_versions: readonly {
    readonly evidence: string;
    readonly version: string;
    readonly have: number;
    readonly of: number;
  }[];
}

export function serviceName({ service }: Pick<Instrumentation, "service">): string {
  return service ?? "runs without a service name";
}

/** Returns the names and versions of the instrumentations. An unknown instrumentation has the name of its scope. */
export function instrumentationNames({ producers }: Instrumentation): string {
  const names = producers.map(({ name, scope, version }) =>
    [name ?? (scope === "" ? "no scope" : scope), version ?? ""].join(" ").trim(),
  );
  return [...new Set(names)].join(" + ") || "unknown instrumentation";
}

/** Returns the id of the element that lists the missing evidence of a row, and the settings that record it. */
export function adviceId({ service, producers }: Instrumentation): string {
  const words = [service, ...producers.flatMap(({ scope, version }) => [scope, version])];
  return `switch-${words.join("-").replace(/[^\w.-]+/g, "-")}`;
}

export interface Loss extends EvidenceCount {
  readonly name: string;
}

/**
 * Returns the evidence that is missing in some runs or calls; the evidence that is recorded least often is first. Session ids are omitted,
 * because few checks need them.
 */
export function lossesOf({ evidence }: Instrumentation): readonly Loss[] {
  return Object.entries(evidence)
    .flatMap(([name, count]) =>
      name !== "session_ids" && (count.state === "absent" || count.state === "partial")
        ? [{ name, ...count }]
        : [],
    )
    .toSorted((a, b) => a.have / a.of - b.have / b.of);
}
