// Updates a clone of this project with real builds while its site runs and is used, and kills some of the setups. Ends
// with exit code 1 where a page, an asset or a command fails. `npm run updates` takes a minute or two, with these options:
//
//   --times N   6 by default
//   --commit C  clones an older commit
//   --seed N    repeats the moments of the kills
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { appendFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { localNode, root, systemEnvironment } from '../../scripts/local-node.mjs'
import { freePort } from '../../scripts/testing/free-port.mjs'
import { newSeed, Random } from '../random.ts'
import { callCommand, runCommand, visit } from './users.ts'

const PRINTED = 20
/** After this time at the latest, every third setup is killed. */
const LONGEST_MS = 12_000

const { values } = parseArgs({
  options: {
    times: { type: 'string', default: '6' },
    commit: { type: 'string', default: 'HEAD' },
    seed: { type: 'string', default: String(newSeed()) },
  },
})
const random = new Random(Number(values.seed))
const place = mkdtempSync(join(tmpdir(), 'rsvp-updates-'))
execFileSync('git', ['clone', '--quiet', root, place])
execFileSync('git', ['-C', place, 'checkout', '--quiet', '--detach', String(values.commit)])

const findings: string[] = []
let killed = 0
const url = `http://127.0.0.1:${await freePort()}`
await setUp()
const site = start('dist/server/entry.mjs', { PORT: new URL(url).port, DATABASE_URL: `file:${place}/data/rsvp.db` })
while (
  !(await fetch(`${url}/api/health`).then(
    () => true,
    () => false,
  ))
)
  await wait(50)
const leave = visit(url)
const stop = callCommand(place)
for (let time = 1; time <= Number(values.times); time += 1) {
  appendFileSync(join(place, 'site/styles/base.css'), `\n:root { --update: ${time}; }\n`)
  if (time % 3 === 0) await killSetup()
  await setUp()
}
const { missed, pages } = await leave()
const { failed, times } = await stop()
findings.push(...missed, ...failed)
site.kill('SIGTERM')
process.stdout.write(
  `${values.times} updates, ${killed} setups killed, seed ${values.seed}: ${pages} pages and ${times} commands meanwhile\n`,
)
for (const finding of findings.slice(0, PRINTED)) process.stdout.write(`${finding}\n`)
process.stdout.write(`${findings.length} findings\n`)
rmSync(place, { recursive: true, force: true })
if (findings.length > 0) process.exitCode = 1

async function setUp(): Promise<void> {
  const code = await new Promise((resolve) => start('scripts/setup.mjs').once('close', resolve))
  if (code !== 0) findings.push(`a setup ended with ${code}`)
}

async function killSetup(): Promise<void> {
  const setup = start('scripts/setup.mjs')
  await wait(random.below(LONGEST_MS))
  if (setup.exitCode === null && setup.pid !== undefined) {
    killed += 1
    process.kill(-setup.pid, 'SIGKILL')
  }
  const { code, output } = await runCommand(place, ['--version'])
  if (code !== 0) findings.push(`after a kill: ${output}`)
}

/** In its own process group, so that its child processes can be killed with it. */
function start(script: string, variables: Record<string, string> = {}): ChildProcess {
  const node = existsSync(join(place, 'node_modules')) ? localNode() : process.execPath
  const env = { ...systemEnvironment(), ...variables }
  return spawn(node, [join(place, script)], { cwd: place, env, detached: true, stdio: ['ignore', 'ignore', 'inherit'] })
}
