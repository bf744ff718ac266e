// Measures the site and the command beside their limits: `npm run lab -- bench` for every row, `npm run lab -- bench H1
// H3` for some. Ends with exit code 1 if a target is missed. lab/performance.md has the results.
//
//   --rounds N   samples of each; by default a row takes less than two minutes
import { cpus, release } from 'node:os'
import { Failure } from '../../scripts/run.mjs'
import type { Options } from '../run.ts'
import { canPin, leaveMeasuredCore } from './measured.ts'
import { type Figure, rows } from './rows.ts'

export async function main({ names, rounds }: Options): Promise<void> {
  if (names.some((id) => !(id in rows))) throw new Failure(`Rows are ${Object.keys(rows).join(', ')}.`)
  if (process.platform !== 'linux') throw new Failure('Memory is read from /proc, which only Linux has.')
  leaveMeasuredCore()
  const pinned = canPin ? '' : ', server and clients on the same cores'
  console.log(`${cpus().length} cores of ${cpus()[0]?.model}, Linux ${release()}, Node ${process.version}${pinned}`)
  for (const [id, row] of Object.entries(rows).filter(([id]) => names.length === 0 || names.includes(id))) {
    console.log(`${id}  ${row.about}`)
    console.table((await row.measure(rounds ?? row.rounds)).map(resultOf))
  }
}

/** Compares the ratio to the limit with the target if there is a limit, otherwise the figure itself. */
function resultOf({ name, unit, ours, limit, atMost, atLeast }: Figure): Record<string, string> {
  const value = limit === undefined ? medianOf(ours) : medianOf(ours) / medianOf(limit)
  // A missing sample is not a number, which misses every target.
  const isMet = atMost !== undefined ? value <= atMost : value >= (atLeast ?? Number.NaN)
  if (!isMet) process.exitCode = 1
  return {
    figure: name,
    ours: spreadOf(ours, unit),
    limit: limit === undefined ? '' : spreadOf(limit, unit),
    ratio: limit === undefined ? '' : text(value),
    target: `${atMost !== undefined ? `≤ ${atMost}` : `≥ ${atLeast}`} ${isMet ? 'met' : 'MISSED'}`,
  }
}

function medianOf(samples: number[]): number {
  return samples.toSorted((one, other) => one - other)[Math.floor(samples.length / 2)] ?? Number.NaN
}

function spreadOf(samples: number[], unit: string): string {
  return `${text(medianOf(samples))} ${unit} [${text(Math.min(...samples))} … ${text(Math.max(...samples))}]`
}

function text(number: number): string {
  return number.toLocaleString('en-US', { maximumSignificantDigits: 3 })
}
