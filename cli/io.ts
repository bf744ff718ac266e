/**
 * The parts of `process` that a command uses; `process` itself fits. A test passes its own streams, variables and
 * folder, to run the command in its own process.
 */
export type Io = {
  stdin: NodeJS.ReadStream
  stdout: NodeJS.WriteStream
  stderr: NodeJS.WriteStream
  /** The environment; options that replace a variable, e.g. --db, change it here. */
  env: NodeJS.ProcessEnv
  /** The folder of the shell: every path on the command line is relative to it. */
  cwd: () => string
  on: (signal: NodeJS.Signals, listener: () => void) => unknown
  emit: (signal: NodeJS.Signals) => unknown
  exit: (code: number) => void
}
