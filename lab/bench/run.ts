// Measures the site and the command beside their limits: `npm run bench` for every row, `npm run bench -- H1 H3` for some.
// Ends with exit code 1 where a target is missed. README.md in lab lists the rows.
//
//   --rounds N   samples of each, instead of what keeps a row below two minutes
//   --json FILE  writes all figures into a file
//   --write      writes them into docs/performance.md

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from '../../scripts/local-node.mjs'
import { canPin, leaveMeasuredCore } from './cores.ts'
import { type JudgedFigure, judge } from './figures.ts'
import { commitOf, machineOf } from './machine.ts'
import { lineOf } from './print.ts'
import { type Measured, reported } from './report.ts'
import type { Row } from './row.ts'
import { rows } from './rows.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string' }, json: { type: 'string' }, write: { type: 'boolean' } },
})
const unknown = positionals.filter((id) => !rows.some((row) => row.id === id.toUpperCase()))
if (unknown.length > 0 || (values.rounds !== undefined && !(Number(values.rounds) >= 1)))
  throw new Error(`Rows are ${rows.map(({ id }) => id).join(', ')}; the options are at the top of lab/bench/run.ts.`)

if (process.platform === 'linux') await bench()
else console.log(`Nothing was measured: memory and CPU time are read from /proc, which ${process.platform} lacks.`)

async function bench(): Promise<void> {
  const chosen = positionals.length === 0 ? rows : rows.filter(({ id }) => positionals.some((one) => isId(one, id)))
  leaveMeasuredCore()
  if (!canPin) console.log('Server and clients share cores: there is only one, or no taskset.')
  const results: Measured[] = []
  for (const row of chosen) {
    const figures = await measured(row)
    results.push({ id: row.id, commit: commitOf(), figures })
    if (values.write && figures.length > 0) write(results)
  }
  if (values.json !== undefined) {
    writeFileSync(values.json, `${JSON.stringify({ machine: machineOf(), rows: results }, null, 2)}\n`)
  }
  const missed = results.flatMap(({ figures }) => figures).filter((figure) => figure.missed)
  if (missed.length > 0) process.exitCode = 1
  const failed = results.filter(({ figures }) => figures.length === 0)
  console.log(`${count(missed.length, 'target')} missed, ${count(failed.length, 'row')} failed.`)
}

function write(results: Measured[]): void {
  const page = join(root, 'docs', 'performance.md')
  const present = results.filter(({ figures }) => figures.length > 0)
  writeFileSync(page, reported(readFileSync(page, 'utf8'), rows, machineOf(), present))
}

/** A row that cannot be measured is missed. */
async function measured(row: Row): Promise<JudgedFigure[]> {
  console.log(`${row.id}  ${row.title}; limit: ${row.limit}`)
  try {
    const figures = (await row.measure(Number(values.rounds ?? row.rounds))).map(judge)
    for (const figure of figures) console.log(`    ${lineOf(figure)}`)
    return figures
  } catch (error) {
    console.error(error)
    process.exitCode = 1
    return []
  }
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

function isId(given: string, id: string): boolean {
  return given.toUpperCase() === id
}
