// Runs one of the trials: `npm run lab -- chaos --rounds 60`. The options of each are at the top of its run file.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Failure, finish } from '../scripts/run.mjs'

export type Options = {
  rounds: number | undefined
  database?: string | undefined
  /** Whether the program has started itself again, see powercut/run.ts. */
  inside: boolean
  /** What follows the name of the trial. */
  names: string[]
}

finish(async () => {
  const text = { type: 'string' } as const
  const options = { rounds: text, database: text, inside: { type: 'boolean', default: false } } as const
  const { values, positionals } = parseArgs({ allowPositionals: true, options })
  const [trial = '', ...names] = positionals
  const trials = ['bench', 'chaos', 'powercut']
  if (!trials.includes(trial)) throw new Failure(`Name one of ${trials.join(', ')}.`)
  const rounds = values.rounds === undefined ? undefined : Number(values.rounds)
  if (rounds !== undefined && !(rounds >= 1)) throw new Failure('--rounds is a number of at least 1.')
  const { main }: { main(options: Options): Promise<void> } = await import(join(import.meta.dirname, trial, 'run.ts'))
  await main({ ...values, rounds, names })
})
