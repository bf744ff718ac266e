// Stops and starts the built site over and over while clients ask all the time, and ends with exit code 1 where one of
// them gets no answer, or where what is stored is not exactly what was acknowledged. `npm run restarts` takes one to
// five minutes; `--times N` is 50 when left out.
import { parseArgs } from 'node:util'
import { restart } from './restarts.ts'

const PRINTED = 20

const { values } = parseArgs({ options: { times: { type: 'string', default: '50' } } })
const times = Number(values.times)
if (!(times > 0)) throw new Error('The options are at the top of lab/restarts/run.ts.')

const { answered, acknowledged, refused, turnedAway, slowestStopMs, findings } = await restart(times)
process.stdout.write(
  `${times} restarts: ${answered} requests answered, ${acknowledged} of them answers that were stored; ` +
    `${refused} connections refused and ${turnedAway} turned away in between; slowest stop ${slowestStopMs} ms\n`,
)
for (const finding of findings.slice(0, PRINTED)) process.stdout.write(`${finding}\n`)
process.stdout.write(`${findings.length} findings\n`)
if (findings.length > 0) process.exitCode = 1
