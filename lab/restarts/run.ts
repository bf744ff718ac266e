// Stops and starts the built site again and again while clients send requests. Ends with exit code 1 where a request that
// the site has taken gets no reply, or where what is stored is not exactly what was acknowledged. `npm run restarts` takes
// one to five minutes, with these options:
//
//   --times N  50 by default
//   --seed N   repeats the RSVPs and the times of a run
import { parseArgs } from 'node:util'
import { newSeed } from '../random.ts'
import { restart } from './restarts.ts'

const PRINTED = 20

const { values } = parseArgs({
  options: { times: { type: 'string', default: '50' }, seed: { type: 'string', default: String(newSeed()) } },
})
const times = Number(values.times)
const seed = Number(values.seed)
if (!(times > 0) || !(seed >= 0)) throw new Error('The options are at the top of lab/restarts/run.ts.')

const { replies, acknowledged, refused, turnedAway, slowestStopMs, findings } = await restart(times, seed)
process.stdout.write(
  `${times} restarts, seed ${seed}: ${replies} replies, ${acknowledged} RSVPs acknowledged; ` +
    `${refused} connections refused and ${turnedAway} turned away in between; slowest stop ${slowestStopMs} ms\n`,
)
for (const finding of findings.slice(0, PRINTED)) process.stdout.write(`${finding}\n`)
process.stdout.write(`${findings.length} findings\n`)
if (findings.length > 0) process.exitCode = 1
