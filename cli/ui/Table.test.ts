import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { COLUMN_GAP, type Column, fitColumns } from './Table.tsx'

function column(title: string, least: number, grow = 0): Column<string> {
  return { title, text: (row) => row, least, grow }
}

const titles = (columns: { title: string }[]) => columns.map(({ title }) => title)
const widths = (columns: { width: number }[]) => columns.map(({ width }) => width)

/** How many cells the columns take, with what lies between them. */
function cellsOf(columns: { width: number }[]): number {
  return columns.reduce((sum, { width }) => sum + width, 0) + COLUMN_GAP * Math.max(0, columns.length - 1)
}

const columnsOfAnyKind = fc
  .array(fc.record({ least: fc.integer({ min: 1, max: 40 }), grow: fc.integer({ min: 0, max: 5 }) }), {
    minLength: 1,
    maxLength: 12,
  })
  .map((kinds) => kinds.map(({ least, grow }, position) => column(`c${position}`, least, grow)))
const widthOfATerminal = fc.integer({ min: 0, max: 300 })

describe('fitColumns', () => {
  it('shares what is left among those that grow', () => {
    expect(widths(fitColumns([column('a', 10, 3), column('b', 10, 0), column('c', 10, 1)], 54))).toEqual([25, 10, 15])
  })

  it('shows the first columns in their order, as many as can have their least, within the width', () => {
    fc.assert(
      fc.property(columnsOfAnyKind, widthOfATerminal, (columns, width) => {
        const fitted = fitColumns(columns, width)
        expect(cellsOf(fitted)).toBeLessThanOrEqual(width)
        expect(titles(fitted)).toEqual(titles(columns.slice(0, Math.max(1, fitted.length))))
        if (fitted.length > 1) expect(fitted.every((column) => column.width >= column.least)).toBe(true)
        const next = columns.slice(0, fitted.length + 1).map(({ least }) => ({ width: least }))
        if (next.length > fitted.length) expect(cellsOf(next)).toBeGreaterThan(width)
      }),
      { seed: 1, numRuns: 1000 },
    )
  })
})
