import { table } from '../../scripts/documents/markdown.ts'
import type { JudgedFigure } from './figures.ts'
import { spreadText, targetText } from './print.ts'
import type { Row } from './row.ts'

/** What was measured, and of which commit. */
export type Measured = { id: string; commit: string; figures: JudgedFigure[] }

const ROWS = section('rows')
const RESULTS = section('results')
const HEAD = ['row', 'figure', 'ours', 'limit', 'ratio', 'owed', '', 'of']

/** The page with all rows, and with these results in the place of earlier ones of the same rows. */
export function reported(page: string, rows: Row[], machine: string, measured: Measured[]): string {
  const earlier = linesOf(page)
  const lines = rows.flatMap(({ id }) => {
    const now = measured.find((row) => row.id === id)
    return now === undefined ? earlier.filter(([row]) => row === id) : now.figures.map((figure) => cells(now, figure))
  })
  return replaced(replaced(page, ROWS, rowsTable(rows)), RESULTS, `${machine}\n\n${table(HEAD, lines)}`)
}

function cells({ id, commit }: Measured, { name, unit, ours, limit, ratio, target, missed }: JudgedFigure): string[] {
  return [
    id,
    name,
    spreadText(ours, unit),
    limit === undefined ? '' : spreadText(limit, unit),
    ratio === undefined ? '' : spreadText(ratio),
    target === undefined ? '' : targetText(target, ratio === undefined ? unit : ''),
    target === undefined ? '' : missed ? 'missed' : 'met',
    commit,
  ]
}

function rowsTable(rows: Row[]): string {
  return table(
    ['row', 'what', 'limit'],
    rows.map(({ id, title, limit }) => [id, title, limit]),
  )
}

function linesOf(page: string): string[][] {
  const lines = (RESULTS.exec(page)?.[2] ?? '').split('\n')
  const all = lines.filter((line) => line.startsWith('| ')).map((line) => line.slice(2, -2).split(' | '))
  return all.slice(2).map((line) => line.map((cell) => cell.trim()))
}

/** Between two comments that the page must have. */
function section(name: string): RegExp {
  return new RegExp(`(<!-- ${name}: .*?-->\n\n)(.*?)(\n?<!-- end of ${name} -->)`, 's')
}

function replaced(page: string, part: RegExp, text: string): string {
  if (!part.test(page)) throw new Error('docs/performance.md has lost the comments around its tables.')
  return page.replace(part, (_, start, _before, end) => `${start}${text}${end}`)
}
