// Writes the next migration with drizzle-kit: `npm run db:generate -- --name=needs_ride`.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { localEnvironment, localNode, root } from './local-node.mjs'
import { installPackages } from './packages.mjs'
import { finish } from './run.mjs'

finish(async () => {
  const placeOf = await installPackages('migrations', { 'drizzle-kit': '0.31.11' })
  const words = [join(placeOf('drizzle-kit'), 'bin.cjs'), 'generate', ...process.argv.slice(2)]
  const child = spawn(localNode(), words, { cwd: root, env: localEnvironment(), stdio: 'inherit' })
  process.exitCode = await new Promise((resolve) => child.once('close', resolve))
})
