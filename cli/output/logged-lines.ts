/** Returns the lines that a package prints with console.log during `work`: it has no other way to return them. */
export function loggedLines(work: () => void): string {
  let lines = ''
  // biome-ignore-start lint/suspicious/noConsole: put aside for a moment, and back in its place after it.
  const { log } = console
  console.log = (line: string) => {
    lines += `${line}\n`
  }
  try {
    work()
  } finally {
    console.log = log
  }
  // biome-ignore-end lint/suspicious/noConsole: put aside for a moment, and back in its place after it.
  return lines
}
