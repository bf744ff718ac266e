import { Box, Text } from 'ink'
import { COLUMN_GAP, type Column, type FittedColumn, fitColumns } from './fit-columns.ts'

/** Rows in columns that fit the width; `height` counts those drawn. The row of the cursor and marked rows are highlighted. */
export function Table<Row>(props: {
  columns: Column<Row>[]
  rows: Row[]
  keyOf: (row: Row) => string | number
  width: number
  height: number
  cursor?: number
  isMarked?: (row: Row) => boolean
}) {
  const { rows, keyOf, height, cursor, width, isMarked } = props
  const gutter = (cursor === undefined ? 0 : 2) + (isMarked === undefined ? 0 : 2)
  const columns = fitColumns(props.columns, width - gutter)
  const first = firstShown(cursor ?? 0, rows.length, height)
  return (
    <Box flexDirection="column">
      <Line gutter={' '.repeat(gutter)} columns={columns} texts={columns.map(({ title }) => title)} bold />
      {rows.slice(first, first + height).map((row, position) => (
        <Line
          key={keyOf(row)}
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

/** The cursor stays in the middle where it can, so that what comes next is seen on both sides. */
function firstShown(cursor: number, count: number, height: number): number {
  return Math.max(0, Math.min(cursor - Math.floor(height / 2), count - height))
}
