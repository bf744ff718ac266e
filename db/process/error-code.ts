/** What the system or a driver calls an error, e.g. `ENOSPC`. */
export function errorCodeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
}
