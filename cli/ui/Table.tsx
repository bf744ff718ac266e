import { Box, renderToString, Text } from 'ink'

/** `minWidth` is the narrowest useful width, in terminal cells; `grow`, the share of the remaining width. */
export type Column<Row> = {
  title: string
  text: (row: Row) => string
  minWidth: number
  grow: number
  /** Shown only if there is room for it besides all other columns. */
  optional?: true
  color?: (row: Row) => string | undefined
}

export type FittedColumn<Row> = Column<Row> & { width: number }

const COLUMN_GAP = 2

/** The columns that fit into `width` cells, from the left, each with its width. @public for its test. */
export function fitColumns<Row>(columns: Column<Row>[], width: number): FittedColumn<Row>[] {
  const needed = columns.filter(({ optional }) => !optional)
  while (needed.length > 1 && minimumWidth(needed) > width) needed.pop()
  const withOptional = columns.filter((column) => column.optional || needed.includes(column))
  const shown = minimumWidth(withOptional) <= width ? withOptional : needed
  const left = Math.max(0, width - minimumWidth(shown))
  const shares = shown.reduce((sum, { grow }) => sum + grow, 0)
  return shown.map((column) => ({
    ...column,
    width: Math.min(width, column.minWidth + (shares === 0 ? 0 : Math.floor((left * column.grow) / shares))),
  }))
}

/** Rows in columns that fit the width; `height` is how many are drawn. The cursor's row and marked rows stand out. */
export function Table<Row extends { id: number }>(props: {
  columns: Column<Row>[]
  rows: Row[]
  width: number
  height: number
  cursor?: number
  isMarked?: (row: Row) => boolean
}) {
  const { rows, height, cursor, width, isMarked } = props
  const gutter = (cursor === undefined ? 0 : 2) + (isMarked === undefined ? 0 : 2)
  const columns = fitColumns(props.columns, width - gutter)
  // The cursor stays in the middle if possible, so that rows on both sides of it are visible.
  const first = Math.max(0, Math.min((cursor ?? 0) - Math.floor(height / 2), rows.length - height))
  return (
    <Box flexDirection="column">
      <Line gutter={' '.repeat(gutter)} columns={columns} texts={columns.map(({ title }) => title)} bold />
      {rows.slice(first, first + height).map((row, position) => (
        <Line
          key={row.id}
          gutter={`${first + position === cursor ? '› ' : '  '}${isMarked?.(row) ? '● ' : '  '}`.slice(0, gutter)}
          columns={columns}
          texts={columns.map(({ text }) => text(row))}
          colors={columns.map(({ color }) => color?.(row))}
          bold={first + position === cursor}
        />
      ))}
    </Box>
  )
}

/** Draws a whole table as a string for a terminal of this width. */
export function renderTable<Row extends { id: number }>(rows: Row[], columns: Column<Row>[], width: number): string {
  const table = <Table columns={columns} rows={rows} width={width} height={rows.length} />
  return `${renderToString(table, { columns: width })}\n`
}

function minimumWidth<Row>(columns: Column<Row>[]): number {
  return columns.reduce((sum, { minWidth }) => sum + minWidth, 0) + COLUMN_GAP * (columns.length - 1)
}

function Line<Row>(props: {
  gutter: string
  columns: FittedColumn<Row>[]
  texts: string[]
  colors?: (string | undefined)[]
  bold: boolean
}) {
  const { gutter, columns, texts, colors = [], bold } = props
  return (
    <Box flexShrink={0}>
      <Text>{gutter}</Text>
      <Box gap={COLUMN_GAP}>
        {columns.map(({ title, width }, position) => (
          <Box key={title} width={width} flexShrink={0}>
            <Text wrap="truncate-end" color={colors[position]} bold={bold}>
              {texts[position] || ' '}
            </Text>
          </Box>
        ))}
      </Box>
    </Box>
  )
}
