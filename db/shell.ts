/** A path as a shell takes it for one word, for sentences with a command that somebody copies. */
export function quotedForShell(path: string): string {
  return /^[\w./:%+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
}
