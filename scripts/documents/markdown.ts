/** Rows up to this length get aligned columns; in longer ones, padding would only make them longer. */
const ALIGNED_MAXIMUM = 100

/** A table that is readable as plain text, too. */
export function table(head: string[], rows: string[][]): string {
  const cells = [head, ...rows].map((row) => row.map((cell) => cell.replaceAll('|', '\\|')))
  const longest = head.map((_, at) => Math.max(...cells.map((row) => row[at]?.length ?? 0)))
  const isAligned = longest.reduce((sum, width) => sum + width + 3, 1) <= ALIGNED_MAXIMUM
  const widths = isAligned ? longest : head.map(() => 0)
  const line = (row: string[]) => `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |\n`
  const [first = [], ...others] = cells
  return [line(first), line(widths.map((width) => '-'.repeat(Math.max(width, 3)))), ...others.map(line)].join('')
}

export function code(text: string): string {
  return text && `\`${text}\``
}
