// Runs one of the trials: `npm run lab -- chaos --rounds 60`. Its options stand at the top of its own run file.
import { globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Failure, finish } from '../scripts/run.mjs'

finish(async () => {
  const [name = '', ...words] = process.argv.slice(2)
  const files = globSync('*/run.{ts,mjs}', { cwd: import.meta.dirname }).sort()
  const file = files.find((path) => dirname(path) === name)
  if (file === undefined) throw new Failure(`Name one of ${files.map((path) => dirname(path)).join(', ')}.`)
  const { main }: { main(words: string[]): Promise<void> } = await import(join(import.meta.dirname, file))
  await main(words)
})
