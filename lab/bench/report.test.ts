import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { judge } from './figures.ts'
import { measuredIn, partOf, reported, rowsTable } from './report.ts'
import { rows } from './rows.ts'

const page = readFileSync(join(import.meta.dirname, '../../docs/performance.md'), 'utf8')
const figure = judge({ name: 'replies', unit: '/s', ours: [50], limit: [100], target: { atLeast: 0.6 } })

describe('docs/performance.md', () => {
  it('names every row with what it measures and its limit', () => {
    expect(partOf(page, 'rows').trim()).toBe(rowsTable(rows).trim())
  })

  it('has results of every row, and of no other', () => {
    expect(measuredIn(page)).toEqual(rows.map(({ id }) => id))
  })

  it('gets the results of what is measured, and keeps the others', () => {
    const [first, ...others] = rows.map(({ id }) => id)
    const next = reported(page, rows, 'Here.', [{ id: first ?? '', commit: 'abc1234', figures: [figure] }])
    expect(measuredIn(next)).toEqual([first, ...others])
    const written = partOf(next, 'results')
      .split('\n')
      .filter((line) => line.startsWith(`| ${first} `))
    expect(written.map((line) => line.replace(/ +/g, ' '))).toEqual([
      `| ${first} | replies | 50.0 /s [50.0 … 50.0] | 100 /s [100 … 100] | 0.50 [0.50 … 0.50] | ≥ 0.6 | missed | abc1234 |`,
    ])
    expect(reported(next, rows, 'Here.', [])).toBe(next)
  })
})
