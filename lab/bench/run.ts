// Measures the site and the command beside their limits: `npm run lab -- bench` for every row, `npm run lab -- bench H1
// H3` for some. Ends with exit code 1 if a target is missed. It prints the table of lab/performance.md.
//
//   --rounds N   samples of each; by default a row takes less than two minutes
import { cpus, release } from 'node:os'
import { table } from '../../scripts/documents/markdown.ts'
import { Failure } from '../../scripts/run.mjs'
import type { Options } from '../run.ts'
import { type Figure, HEAD, isMissed, lineOf, type Row } from './figures.ts'
import { canPin, leaveMeasuredCore } from './measured.ts'
import { browserRows } from './rows/browser.ts'
import { commandRows } from './rows/command.ts'
import { siteRows } from './rows/site.ts'

const rows: Record<string, Row> = { ...siteRows, ...commandRows, ...browserRows }

export async function main({ names, rounds }: Options): Promise<void> {
  if (names.some((id) => !(id in rows))) throw new Failure(`Rows are ${Object.keys(rows).join(', ')}.`)
  if (process.platform !== 'linux') throw new Failure('Memory and CPU time are read from /proc, which only Linux has.')
  leaveMeasuredCore()
  const pinned = canPin ? '' : ', server and clients on the same cores'
  console.log(`${cpus().length} cores of ${cpus()[0]?.model}, Linux ${release()}, Node ${process.version}${pinned}`)

  const lines: string[][] = []
  for (const [id, row] of Object.entries(rows).filter(([id]) => names.length === 0 || names.includes(id))) {
    console.log(`${id}  ${row.about}`)
    const figures = await measured(row, rounds ?? row.rounds)
    if (figures.some(isMissed)) process.exitCode = 1
    lines.push(...figures.map((figure) => lineOf(id, figure)))
  }
  console.log(table(HEAD, lines))
}

/** A row that cannot be measured is missed. */
async function measured(row: Row, rounds: number): Promise<Figure[]> {
  try {
    return await row.measure(rounds)
  } catch (error) {
    console.error(error)
    process.exitCode = 1
    return []
  }
}
