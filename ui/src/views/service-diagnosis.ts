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

/** What `doctor` found of one service. */
export interface ServiceDiagnosis {
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
}

export function serviceName({ service }: Pick<ServiceDiagnosis, "service">): string {
  return service ?? "runs without a service name";
}
