/** A column of a table. `least` is the narrowest that still helps, in terminal cells; `grow` its share of what is left. */
export type Column<Row> = {
  title: string
  text: (row: Row) => string
  least: number
  grow: number
  /** Shown only where it takes no other column's place. */
  spare?: true
  color?: (row: Row) => string | undefined
}

export type FittedColumn<Row> = Column<Row> & { width: number }

/** Between two columns. */
export const COLUMN_GAP = 2

/** As many of the columns, from the left, as fit into `width` cells, and how wide each is. */
export function fitColumns<Row>(columns: Column<Row>[], width: number): FittedColumn<Row>[] {
  const needed = columns.filter(({ spare }) => !spare)
  while (needed.length > 1 && leastWidth(needed) > width) needed.pop()
  const withSpare = columns.filter((column) => column.spare || needed.includes(column))
  const shown = leastWidth(withSpare) <= width ? withSpare : needed
  const left = Math.max(0, width - leastWidth(shown))
  const shares = shown.reduce((sum, { grow }) => sum + grow, 0)
  return shown.map((column) => ({
    ...column,
    width: Math.min(width, column.least + (shares === 0 ? 0 : Math.floor((left * column.grow) / shares))),
  }))
}

function leastWidth<Row>(columns: Column<Row>[]): number {
  return columns.reduce((sum, { least }) => sum + least, 0) + COLUMN_GAP * (columns.length - 1)
}
