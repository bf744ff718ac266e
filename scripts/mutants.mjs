// Mutation testing with Stryker: makes one small change after another in some modules; a test must fail for each.
//
// `npm run mutants` takes the modules of stryker.config.mjs, `npm run mutants -- db/access` those with that in their path.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { modules, report } from '../stryker.config.mjs'
import { localEnvironment, localNode, root } from './local-node.mjs'
import { installPackages } from './packages.mjs'
import { Failure, finish, run } from './run.mjs'

const STRYKER = '@stryker-mutator/core'
const VERSION = '10.1.1'
/** In percent. Some mutants behave like the original, so no test can kill them. */
const MINIMUM_SCORE = 95
const [part = ''] = process.argv.slice(2)

finish(async () => {
  const chosen = modules.filter((module) => module.includes(part))
  if (chosen.length === 0) throw new Failure(`No module's path holds ${part}: see stryker.config.mjs.`)
  const setup = await run(process.execPath, ['scripts/setup.mjs'])
  if (setup.code !== 0) throw new Failure(setup.output.trimEnd())
  // Vitest itself is the project's own: two copies of it in one run do not share their tests.
  const placeOf = await installPackages('mutants', { [STRYKER]: VERSION, '@stryker-mutator/vitest-runner': VERSION })
  const statuses = []
  // One module after the other: a mutated constant runs all tests.
  for (const module of chosen) statuses.push(...(await statusesOf(module, placeOf(STRYKER))))
  const killed = statuses.filter((status) => status === 'Killed' || status === 'Timeout').length
  const score = (100 * killed) / statuses.length
  console.log(`${killed} of ${statuses.length} mutants killed (${score.toFixed(1)} %).`)
  if (score < MINIMUM_SCORE) throw new Failure(`At least ${MINIMUM_SCORE} % must be: the survivors are listed above.`)
})

async function statusesOf(module, folder) {
  const stryker = join(folder, 'bin/stryker.js')
  const options = { cwd: root, env: localEnvironment({ MUTANTS: module }), stdio: 'inherit' }
  const code = await new Promise((resolve) => spawn(localNode(), [stryker, 'run'], options).on('close', resolve))
  if (code !== 0) throw new Failure(`The tests of ${module} did not run: see above.`)
  const { files } = JSON.parse(readFileSync(join(root, report), 'utf8'))
  return files[module].mutants.map((mutant) => mutant.status)
}
