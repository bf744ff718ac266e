import type { Io } from '../io.ts'

/** Writes to standard output, and waits until the reader has taken it. Returns the error of a write that failed. */
export function write(text: string | Uint8Array, { stdout }: Pick<Io, 'stdout'>): Promise<Error | undefined> {
  return new Promise((resolve) => {
    stdout.write(text, (error) => resolve(error ?? undefined))
  })
}
