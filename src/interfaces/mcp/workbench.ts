/** Output of a command, as on the command line. */
export interface Called {
  readonly exitCode: 0 | 1 | 2;
  readonly stdout: string;
  readonly stderr: string;
}

/** What the tools do to files: the commands of the same names. Paths are absolute. */
export interface Workbench {
  test(call: {
    readonly dumps: readonly string[];
    readonly specs: readonly string[];
    readonly queries: readonly string[];
    readonly judge: "auto" | "off";
    /** Otherwise checks of the project's own (`command:`, `module:`) are incomplete. */
    readonly mayRunCommands: boolean;
  }): Promise<Called>;
  inspect(dumps: readonly string[], format: "json" | "tree"): Promise<Called>;
  doctor(dumps: readonly string[], specs: readonly string[]): Promise<Called>;
  propose(call: {
    readonly dumps: readonly string[];
    readonly spec: string;
    readonly most: number;
    readonly redact: "secrets" | "all";
    /** Otherwise the queries are shown only. */
    readonly mayWrite: boolean;
    readonly mayRunCommands: boolean;
  }): Promise<Called>;
  validate(files: readonly string[]): Promise<Called>;
}
