/**
 * Settings of glibc's allocator. By default, glibc does not return all freed buffers to the system; in a process with a limit of 512 MiB,
 * this wastes 100 MiB.
 */
export const allocatorSettings: Readonly<Record<string, string>> = {
  MALLOC_MMAP_THRESHOLD_: "131072",
  MALLOC_ARENA_MAX: "2",
};

/** The properties of `process` that a restart needs. */
export interface RestartableProcess {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly execArgv: readonly string[];
  readonly execPath: string;
  readonly platform: string;
}

type Execve = (file: string, args: readonly string[], env: RestartableProcess["env"]) => void;

/**
 * Restarts the process with the settings of the allocator, because glibc reads them only at the start. The process id does not change.
 * Returns without a restart if all settings are already set, or if a restart is not possible. It is not possible on platforms other than
 * Linux, with an IPC channel, before Node 22.15 (without `process.execve`), and if the process may not start programs.
 */
export function restartWithAllocatorSettings(current: RestartableProcess, execve: unknown): void {
  const { argv, env, execArgv, execPath, platform } = current;
  const isSet = Object.keys(allocatorSettings).every((name) => env[name] !== undefined);
  // A restart would close the IPC channel to the parent process.
  const hasChannel = env["NODE_CHANNEL_FD"] !== undefined;
  if (platform !== "linux" || isSet || hasChannel || typeof execve !== "function") return;
  const args = [execPath, ...execArgv, ...argv.slice(1)];
  try {
    (execve as Execve)(execPath, args, { ...allocatorSettings, ...env });
  } catch {
    // Not restarted: without the settings, the process works, but exceeds its memory limit more easily.
  }
}
