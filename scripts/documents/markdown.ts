/** A table with aligned columns, which is readable as plain text, too. */
export function table(head: string[], rows: string[][]): string {
  const cells = [head, ...rows].map((row) => row.map((cell) => cell.replaceAll('|', '\\|')))
  const widths = head.map((_, at) => Math.max(...cells.map((row) => row[at]?.length ?? 0)))
  const line = (row: string[]) => `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |\n`
  const [first = [], ...others] = cells
  return [line(first), line(widths.map((width) => '-'.repeat(width))), ...others.map(line)].join('')
}

export function code(text: string): string {
  return text && `\`${text}\``
}
