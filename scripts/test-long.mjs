// Runs what takes too long for `npm test`, one part after the other, and ends with the names of those that failed.
//
// `npm run test:long` takes hours; `npm run test:long -- dates` runs one part, and arguments that follow select its tests
// as for `npm test`: `npm run test:long -- dates db/rsvp site/e2e/admin-week`.
import { spawnSync } from 'node:child_process'
import { localEnvironment, localNode, root } from './local-node.mjs'
import { Failure, finish } from './run.mjs'
import { faketime } from './testing/faketime.mjs'

/** Services are on Saturday from 10 to 12. Some moments are so late that a new day or hour begins during the tests. */
const moments = [
  ['during the service', 'America/Chicago', '2027-12-04T11:30-06:00'],
  ['after the service', 'America/Chicago', '2027-12-04T12:30-06:00'],
  ['before the day of the service', 'America/Chicago', '2027-12-03T23:59-06:00'],
  ['the clocks go forward', 'America/Chicago', '2028-03-12T01:59-06:00'],
  ['the clocks go back', 'America/Chicago', '2027-11-07T01:30-05:00'],
  ['the end of the year', 'America/Chicago', '2027-12-31T23:58-06:00'],
  ['a leap day', 'Asia/Kathmandu', '2028-02-29T12:00+05:45'],
  ['midnight in UTC', 'Asia/Kathmandu', '2027-12-04T05:44+05:45'],
  ['a day before others', 'Pacific/Apia', '2027-12-04T00:30+13:00'],
]

/** Tests of which `npm test` runs only a part: those of `db` also run on a libSQL server. */
const swept = ['db/', 'cli/scenarios/server-from-backup.test.ts']

const chosen = (words, ...otherwise) => (words.length > 0 ? words : otherwise)

/** Each takes the arguments that follow its name. */
const parts = {
  dates: passAtEachMoment,
  fonts: (tests) => pass('scripts/test.mjs', chosen(tests, 'site/e2e'), { OWN_FONTS: '1' }),
  slow: (tests) => pass('scripts/test.mjs', chosen(tests, 'site/e2e'), { SLOW_LINE: '1' }),
  sweep: (tests) => pass('scripts/test.mjs', chosen(tests, ...swept), { SWEEP: 'whole' }),
  chaos: (words) => pass('lab/run.ts', ['chaos', ...chosen(words, '--rounds', '100')]),
  powercut: (words) => pass('lab/run.ts', ['powercut', ...chosen(words, '--rounds', '100')]),
}

finish(async () => {
  const [asked, ...words] = process.argv.slice(2)
  if (asked !== undefined && !(asked in parts)) throw new Failure(`Name one of ${Object.keys(parts).join(', ')}.`)
  const failed = []
  for (const name of asked === undefined ? Object.keys(parts) : [asked]) {
    console.log(`\n${name}`)
    if (!(await parts[name](words))) failed.push(name)
  }
  if (failed.length > 0) throw new Failure(`\nFAILED: ${failed.join(', ')}`)
  console.log('\nall passed')
})

async function passAtEachMoment(tests) {
  const LD_PRELOAD = await faketime()
  const results = moments.map(([name, TZ, at]) => {
    const seconds = Math.round((Date.parse(at) - Date.now()) / 1000)
    if (seconds < 0) throw new Failure(`${at} is over: give scripts/test-long.mjs a later moment for "${name}".`)
    console.log(`\n${at}, ${name}`)
    // The monotonic clock is set as well: otherwise Chromium takes minutes for a page.
    return pass('scripts/test.mjs', tests, { LD_PRELOAD, TZ, FAKETIME: `+${seconds}` })
  })
  return results.every(Boolean)
}

function pass(program, words, variables = {}) {
  const options = { cwd: root, env: localEnvironment(variables), stdio: 'inherit' }
  return spawnSync(localNode(), [program, ...words], options).status === 0
}
