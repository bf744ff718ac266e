// Runs one of the trials: `npm run lab -- chaos --rounds 60`. The options of each are at the top of its run file.
import { globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { Failure, finish } from '../scripts/run.mjs'

export type Options = {
  rounds: number | undefined
  /** A finding prints it, so that the run can be repeated. */
  seed: number
  /** What follows the name of the trial. */
  names: string[]
} & Record<'database' | 'mode' | 'only' | 'languages' | 'inside', string | undefined>

const text = { type: 'string' } as const

finish(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { rounds: text, seed: text, database: text, mode: text, only: text, languages: text, inside: text },
  })
  const { rounds, seed, database, mode, only, languages, inside } = values
  const [trial = '', ...names] = positionals
  const files = globSync('*/run.{ts,mjs}', { cwd: import.meta.dirname }).sort()
  const file = files.find((path) => dirname(path) === trial)
  if (file === undefined) throw new Failure(`Name one of ${files.map((path) => dirname(path)).join(', ')}.`)
  const { main }: { main(options: Options): Promise<void> } = await import(join(import.meta.dirname, file))
  const numbers = { rounds: numberIn(rounds, 1), seed: numberIn(seed) ?? Date.now() % 2 ** 31 }
  await main({ ...numbers, database, mode, only, languages, inside, names })
})

function numberIn(text: string | undefined, minimum = 0): number | undefined {
  if (text === undefined) return undefined
  if (!/^\d+$/.test(text) || Number(text) < minimum)
    throw new Failure(`${text} is not a whole number of at least ${minimum}.`)
  return Number(text)
}
