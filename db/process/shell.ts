/** Quotes a path for a shell command that is shown to be copied. */
export function quoteForShell(path: string): string {
  return /^[\w./:%+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
}
