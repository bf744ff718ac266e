// Measures the site and the command beside their limits: `npm run lab -- bench` for every row, `npm run lab -- bench H1
// H3` for some, with `--rounds N` samples of each. Ends with exit code 1 if a target is missed. lab/performance.md has the
// results.
import { execFileSync } from 'node:child_process'
import { cpus, release } from 'node:os'
import { Failure } from '../../scripts/run.mjs'
import type { Options } from '../run.ts'
import { type Figure, rows } from './rows.ts'

export async function main({ names, rounds }: Options): Promise<void> {
  if (names.some((id) => !(id in rows))) throw new Failure(`Rows are ${Object.keys(rows).join(', ')}.`)
  if (process.platform !== 'linux' || cpus().length < 2) throw new Failure('This needs Linux and two cores.')
  // What is measured has the other core.
  execFileSync('taskset', ['--all-tasks', '--pid', '--cpu-list', '1', String(process.pid)], { stdio: 'ignore' })
  console.log(`${cpus().length} cores of ${cpus()[0]?.model}, Linux ${release()}, Node ${process.version}`)
  for (const [id, row] of Object.entries(rows).filter(([id]) => names.length === 0 || names.includes(id))) {
    console.log(`${id}  ${row.about}`)
    console.table((await row.measure(rounds ?? row.rounds)).map(resultOf))
  }
}

/** Compares the ratio to the limit with the target if there is a limit, otherwise the figure itself. */
function resultOf({ name, unit, ours, limit, better, target }: Figure): Record<string, string> {
  const value = limit === undefined ? medianOf(ours) : medianOf(ours) / medianOf(limit)
  // A missing sample is not a number, which misses every target.
  const isMet = better === '≤' ? value <= target : value >= target
  if (!isMet) process.exitCode = 1
  const compared = limit && { limit: spreadOf(limit, unit), ratio: text(value) }
  return {
    figure: name,
    ours: spreadOf(ours, unit),
    ...compared,
    target: `${better} ${target} ${isMet ? 'met' : 'MISSED'}`,
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
