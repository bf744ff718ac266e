// Makes backups while visitors send RSVPs, restores each and judges the result. Ends with exit code 1 where one is not
// whole or lacks what was acknowledged before it. Options of `npm run backups`:
//
//   --count N  100 by default
//   --seed N   repeats the RSVPs of a run
import { parseArgs } from 'node:util'
import { newSeed } from '../random.ts'
import { makeBackups } from './backups.ts'

const { values } = parseArgs({
  options: { count: { type: 'string', default: '100' }, seed: { type: 'string', default: String(newSeed()) } },
})
const print = (line: string) => void process.stdout.write(`${line}\n`)

const { findings, acknowledged, ms } = await makeBackups(Number(values.count), Number(values.seed), print)
const sorted = ms.toSorted((a, b) => a - b)
print(`${ms.length} backups beside ${acknowledged} RSVPs, seed ${values.seed}: ${findings.length} findings`)
print(`each took ${sorted[Math.floor(sorted.length / 2)]} ms [${sorted.at(0)} … ${sorted.at(-1)}]`)
for (const finding of findings) print(finding)
if (findings.length > 0) process.exitCode = 1
