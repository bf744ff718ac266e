/** The code that the system or a driver gave an error, e.g. `ENOSPC`. */
export function errorCodeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
}
