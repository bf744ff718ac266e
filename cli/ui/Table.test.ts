import { expect, it } from 'vitest'
import { type Column, fitColumns, renderTable } from './Table.tsx'

type Row = { id: number; name: string }
const column = (title: string, minWidth: number, grow = 0): Column<Row> => ({
  title,
  text: ({ name }) => name,
  minWidth,
  grow,
})
const fitted = (columns: Column<Row>[], width: number) =>
  fitColumns(columns, width).map(({ title, width }) => [title, width])

it('fitColumns divides the remaining width among columns that grow, and leaves out the last that do not fit', () => {
  const columns = [column('a', 10, 3), column('b', 10), column('c', 10, 1)]
  expect(fitted(columns, 54)).toEqual([
    ['a', 25],
    ['b', 10],
    ['c', 15],
  ])
  expect(fitted(columns, 33).map(([title]) => title)).toEqual(['a', 'b'])
  expect(fitted(columns, 5)).toEqual([['a', 5]])
  const optional = { ...column('id', 4), optional: true as const }
  expect(fitted([optional, ...columns], 34).map(([title]) => title)).toEqual(['a', 'b', 'c'])
  expect(fitted([optional, ...columns], 40).map(([title]) => title)).toEqual(['id', 'a', 'b', 'c'])
})

it('renderTable aligns wide letters, and truncates long texts', () => {
  const rows = [
    { id: 1, name: '王小明' },
    { id: 2, name: 'Ana Cole of Springfield' },
  ]
  const text = renderTable(rows, [column('Name', 8), column('Again', 8)], 18)
  expect(text).toBe('Name      Again\n王小明    王小明\nAna Col…  Ana Col…\n')
})
