// Installs a release in each way there is, from nothing to the first RSVP that is stored, and says how long each step took.
// Usage: npm run release -- --platform linux-x64, then npm run installs [-- archive service debian npx]
//
// All but npx are done in an empty Debian that boots (see debian.mjs). Ends with exit code 1 where there are findings.
import { Failure, finish } from '../../scripts/run.mjs'
import { archive, debian, npx, service } from './ways.mjs'

const ways = { archive, service, debian, npx }
/** From nothing to the first RSVP. */
const LONGEST_S = 60

finish(async () => {
  const chosen = process.argv.slice(2)
  const unknown = chosen.find((name) => !(name in ways))
  if (unknown !== undefined) throw new Failure(`There is no way ${unknown}: give ${Object.keys(ways).join(', ')}.`)
  const findings = []
  for (const name of chosen.length > 0 ? chosen : Object.keys(ways)) {
    console.log(`\n${name}`)
    await ways[name]({ stopwatch: () => stopwatch(findings), findings })
  }
  if (findings.length > 0) throw new Failure(`\n${findings.join('\n')}\n${findings.length} findings.`)
  console.log('\nNo findings.')
})

/** Starts a watch: it says that a step is done, and how long after the start. */
function stopwatch(findings) {
  const started = performance.now()
  return (step, isStored = false) => {
    const seconds = (performance.now() - started) / 1000
    console.log(`${seconds.toFixed(1).padStart(6)} s  ${step}`)
    if (isStored && seconds > LONGEST_S) findings.push(`The first RSVP took longer than ${LONGEST_S} s.`)
  }
}
