/**
 * Settings of glibc's allocator. By default glibc keeps freed buffers: 100 MiB in a process with a limit of
 * 512 MiB.
 */
export const allocatorSettings: Readonly<Record<string, string>> = {
  MALLOC_MMAP_THRESHOLD_: "131072",
  MALLOC_ARENA_MAX: "2",
};

/** The parts of `process` that a restart needs. */
export interface RestartableProcess {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly execArgv: readonly string[];
  readonly execPath: string;
  readonly platform: string;
}

type Execve = (file: string, args: readonly string[], env: RestartableProcess["env"]) => void;

/**
 * Restarts the process with the settings of the allocator, which glibc reads only at the start. The process
 * id stays the same. Returns if all settings are already set, or if a restart is not possible: without
 * `process.execve` (before Node 22.15), or if the process may not start programs.
 */
export function restartWithAllocatorSettings(current: RestartableProcess, execve: unknown): void {
  const { argv, env, execArgv, execPath, platform } = current;
  const isSet = Object.keys(allocatorSettings).every((name) => env[name] !== undefined);
  // A restart would close the channel to a parent process that started this one with an IPC channel.
  const hasChannel = env["NODE_CHANNEL_FD"] !== undefined;
  if (platform !== "linux" || isSet || hasChannel || typeof execve !== "function") return;
  const args = [execPath, ...execArgv, ...argv.slice(1)];
  try {
    (execve as Execve)(execPath, args, { ...allocatorSettings, ...env });
  } catch {
    // Without the settings, the process works and keeps its memory limit less exactly.
  }
}
