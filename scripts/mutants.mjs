// Mutation testing with Stryker: changes one thing after the other in some modules and wants a test to fail each time.
//
// `npm run mutants` takes the modules of stryker.config.mjs, `npm run mutants -- db/access` those whose path holds that.
// Stryker is fetched into a temporary folder and gone afterwards: nobody else needs its 60 MB.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { localEnvironment, localNode, root, systemEnvironment } from './local-node.mjs'
import { Failure, finish, run } from './run.mjs'

const version = '10.1.1'
const [module = ''] = process.argv.slice(2)

finish(async () => {
  const setup = await run(process.execPath, ['scripts/setup.mjs', '--install-only'])
  if (setup.code !== 0) throw new Failure(setup.output.trimEnd())
  const folder = mkdtempSync(join(tmpdir(), 'rsvp-mutants-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  // Stryker is interrupted as well, tidies up, and then it is our turn.
  process.on('SIGINT', () => {})
  await install(folder)
  const stryker = join(folder, 'node_modules/@stryker-mutator/core/bin/stryker.js')
  const options = { cwd: root, env: localEnvironment({ MUTANTS: module }), stdio: 'inherit' }
  const child = spawn(localNode(), [stryker, 'run'], options)
  process.exitCode = await new Promise((resolve) => child.on('close', (code) => resolve(code ?? 1)))
})

async function install(folder) {
  console.error(`Fetching Stryker ${version}…`)
  const names = ['core', 'vitest-runner'].map((name) => `@stryker-mutator/${name}@${version}`)
  const options = ['--prefix', folder, '--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund']
  const { code, output } = await run('npm', ['install', ...options, ...names], systemEnvironment())
  if (code !== 0) throw new Failure(`${output.trimEnd()}\nStryker could not be fetched. Check the network.`)
  // These are the project's own: two Vitests in one run do not know each other's tests, so npx will not do.
  for (const name of ['vitest', 'typescript']) {
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name), 'junction')
  }
}
