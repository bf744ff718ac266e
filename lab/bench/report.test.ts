import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { judge } from './figures.ts'
import { reported } from './report.ts'
import { rows } from './rows.ts'

const page = readFileSync(join(import.meta.dirname, '../../docs/performance.md'), 'utf8')
const machine = /^Measured on .*$/m.exec(page)?.[0] ?? ''
const [first] = rows
const results = (text: string) => text.slice(text.indexOf('## Results')).split('\n')

describe('docs/performance.md', () => {
  it('names every row as it is measured, and has results of rows only', () => {
    expect(reported(page, rows, machine, [])).toBe(page)
  })

  it('has results of every row', () => {
    const start = page.indexOf('## Results')
    expect(rows.filter(({ id }) => !page.includes(`\n| ${id} `, start))).toEqual([])
  })

  it('gets the results of what is measured, and keeps the others', () => {
    const figure = judge({ name: 'replies', unit: '/s', ours: [50], limit: [100], target: { atLeast: 0.6 } })
    const next = reported(page, rows, 'Here.', [{ id: first?.id ?? '', commit: 'abc1234', figures: [figure] }])
    const ofRow = (text: string) => (line: string) => line.startsWith(`| ${text} `)
    expect(
      results(next)
        .filter(ofRow(first?.id ?? ''))
        .map((line) => line.replace(/ +/g, ' ')),
    ).toEqual([
      `| ${first?.id} | replies | 50.0 /s [50.0 … 50.0] | 100 /s [100 … 100] | 0.50 [0.50 … 0.50] | ≥ 0.6 | missed | abc1234 |`,
    ])
    for (const { id } of rows.slice(1)) {
      const cells = (line: string) => line.split('|').map((cell) => cell.trim())
      expect(results(next).filter(ofRow(id)).map(cells)).toEqual(results(page).filter(ofRow(id)).map(cells))
    }
  })
})
