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

/** Writes to standard output, and waits until the reader has taken it. Returns the error of a write that failed. */
export function write(text: string | Uint8Array, { stdout }: Pick<Io, 'stdout'>): Promise<Error | undefined> {
  return new Promise((resolve) => {
    stdout.write(text, (error) => resolve(error ?? undefined))
  })
}
