// Runs one of the trials: `npm run lab -- chaos --rounds 60`. The options of each are at the top of its run file.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Failure, finish } from '../scripts/run.mjs'

export type Options = {
  rounds: number | undefined
  /** A finding prints it, so that the run can be repeated. */
  seed: number
  /** What follows the name of the trial. */
  names: string[]
} & Record<'database' | 'inside', string | undefined>

const text = { type: 'string' } as const

finish(async () => {
  const options = { rounds: text, seed: text, database: text, inside: text }
  const { values, positionals } = parseArgs({ allowPositionals: true, options })
  const { rounds, seed, database, inside } = values
  const [trial = '', ...names] = positionals
  const trials = ['bench', 'chaos', 'powercut']
  if (!trials.includes(trial)) throw new Failure(`Name one of ${trials.join(', ')}.`)
  const { main }: { main(options: Options): Promise<void> } = await import(join(import.meta.dirname, trial, 'run.ts'))
  await main({ rounds: numberIn(rounds, 1), seed: numberIn(seed) ?? Date.now() % 2 ** 31, database, inside, names })
})

function numberIn(text: string | undefined, minimum = 0): number | undefined {
  if (text === undefined) return undefined
  if (!/^\d+$/.test(text) || Number(text) < minimum)
    throw new Failure(`${text} is not a whole number of at least ${minimum}.`)
  return Number(text)
}
