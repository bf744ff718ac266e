import { renderToString } from 'ink'
import type { Column } from './fit-columns.ts'
import { Table } from './Table.tsx'

/** A whole table as text, as wide as the terminal. */
export function renderTable<Row>(
  rows: Row[],
  keyOf: (row: Row) => string | number,
  columns: Column<Row>[],
  width: number,
): string {
  const table = <Table columns={columns} rows={rows} keyOf={keyOf} width={width} height={rows.length} />
  return `${renderToString(table, { columns: width })}\n`
}
