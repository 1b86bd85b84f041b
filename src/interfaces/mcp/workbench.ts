export interface Called {
  readonly exitCode: 0 | 1 | 2;
  readonly stdout: string;
  readonly stderr: string;
}

/** Commands that the tools run on files, by the names that they have on the command line. All paths are absolute. */
export interface Workbench {
  test(call: {
    readonly dumps: readonly string[];
    readonly specs: readonly string[];
    readonly queries: readonly string[];
    readonly judge: "auto" | "off";
    /** Whether the project's own checks (`command:`, `module:`) may run. If false, they get the outcome `incomplete`. */
    readonly mayRunCommands: boolean;
  }): Promise<Called>;
  inspect(dumps: readonly string[], format: "json" | "tree"): Promise<Called>;
  doctor(dumps: readonly string[], specs: readonly string[]): Promise<Called>;
  propose(call: {
    readonly dumps: readonly string[];
    readonly spec: string;
    readonly most: number;
    readonly redact: "secrets" | "all";
    /** Whether queries may be written to files. If false, they are only shown. */
    readonly mayWrite: boolean;
    readonly mayRunCommands: boolean;
  }): Promise<Called>;
  validate(files: readonly string[]): Promise<Called>;
}
