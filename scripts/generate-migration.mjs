// Writes the next migration with drizzle-kit: `npm run db:generate -- --name=needs_ride`. Until the first release,
// `npm run db:generate -- --first` instead makes the only one anew, from the tables and db/seed.sql.
import { appendFileSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { localEnvironment, localNode, root } from './local-node.mjs'
import { installPackages } from './packages.mjs'
import { Failure, finish, run } from './run.mjs'

const migrations = join(root, 'db', 'migrations')

finish(async () => {
  const isFirst = process.argv.includes('--first')
  const placeOf = await installPackages('migrations', { 'drizzle-kit': '0.31.11' })
  if (isFirst) rmSync(migrations, { recursive: true, force: true })
  const options = isFirst ? ['--name=first'] : process.argv.slice(2)
  const words = [join(placeOf('drizzle-kit'), 'bin.cjs'), 'generate', ...options]
  const { code, output } = await run(localNode(), words, localEnvironment())
  process.stdout.write(output)
  if (code !== 0) throw new Failure('No migration was written.')
  if (isFirst) {
    const seed = readFileSync(join(root, 'db', 'seed.sql'), 'utf8')
    appendFileSync(join(migrations, '0000_first.sql'), `\n--> statement-breakpoint\n${seed}`)
  }
})
