// Runs what takes too long for `npm test`, one part after the other, and ends with a line for each: passed or failed.
//
// `npm run test:long` takes hours; `npm run test:long -- lines` runs one part, with the arguments that follow its name:
// `npm run test:long -- dates db/rsvp`.
import { spawn } from 'node:child_process'
import { localEnvironment, localNode, root } from './local-node.mjs'
import { Failure, finish } from './run.mjs'

/** Tests of which `npm test` runs only a part: those of `db` also run on a libSQL server. */
const swept = ['db/', 'cli/scenarios/server-from-backup.test.ts', 'cli/scenarios/privacy.test.ts']

/** @type {Record<string, { words: string[], variables?: Record<string, string> }>} */
const parts = {
  sweep: { words: ['scripts/test.mjs', ...swept], variables: { SWEEP: 'whole' } },
  lines: { words: ['scripts/test.mjs', 'site/e2e'], variables: { SLOW_LINE: '1' } },
  mutants: { words: ['scripts/mutants.mjs'] },
  chaos: { words: ['lab/run.ts', 'chaos', '--rounds', '100'] },
  powercut: { words: ['lab/run.ts', 'powercut', '--rounds', '100'] },
  fuzz: { words: ['lab/run.ts', 'fuzz', '--rounds', '2'] },
  server: { words: ['lab/run.ts', 'fuzz', '--rounds', '2', '--database', 'server'] },
  dates: { words: ['scripts/dates.mjs'] },
}

finish(async () => {
  const [asked, ...words] = process.argv.slice(2)
  if (asked !== undefined && !(asked in parts)) throw new Failure(`Name one of ${Object.keys(parts).join(', ')}.`)
  const results = []
  for (const name of asked === undefined ? Object.keys(parts) : [asked]) {
    console.log(`\n${name}`)
    results.push({ name, passed: await passes(parts[name], words) })
  }
  for (const { name, passed } of results) console.log(`${passed ? 'passed' : 'FAILED'} ${name}`)
  if (results.some(({ passed }) => !passed)) process.exitCode = 1
})

function passes({ words, variables = {} }, more) {
  return new Promise((resolve) => {
    const options = { cwd: root, env: localEnvironment(variables), stdio: 'inherit' }
    spawn(localNode(), [...words, ...more], options).on('close', (code) => resolve(code === 0))
  })
}
