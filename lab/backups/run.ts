// Makes backups while visitors send RSVPs, restores each and judges the result. Ends with exit code 1 where one is not
// whole or lacks what was acknowledged before it. Then sends copies by ssh, where sshd and rsync are installed. Options of `npm run backups`:
//
//   --count N  100 by default
//   --seed N   repeats the RSVPs of a run
//   --kills N  senders that are killed while they send a copy to a real sshd, 20 by default; 0 leaves out ssh
import { parseArgs } from 'node:util'
import { newSeed, Random } from '../random.ts'
import { makeBackups } from './backups.ts'
import { tryCopiesBySsh } from './ssh.ts'
import { missingForSsh } from './sshd.ts'

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '100' },
    seed: { type: 'string', default: String(newSeed()) },
    kills: { type: 'string', default: '20' },
  },
})
const print = (line: string) => void process.stdout.write(`${line}\n`)

if (Number(values.count) > 0) {
  const { findings, acknowledged, ms } = await makeBackups(Number(values.count), Number(values.seed), print)
  const sorted = ms.toSorted((a, b) => a - b)
  print(`${ms.length} backups beside ${acknowledged} RSVPs, seed ${values.seed}: ${findings.length} findings`)
  print(`each took ${sorted[Math.floor(sorted.length / 2)]} ms [${sorted.at(0)} … ${sorted.at(-1)}]`)
  tell(findings)
}
const missing = missingForSsh()
if (missing !== undefined) print(`No copy was sent by ssh: ${missing}`)
else if (Number(values.kills) > 0) {
  const findings = await tryCopiesBySsh(Number(values.kills), new Random(Number(values.seed)))
  print(`copies by ssh, ${values.kills} senders killed, seed ${values.seed}: ${findings.length} findings`)
  tell(findings)
}

function tell(findings: string[]): void {
  for (const finding of findings) print(finding)
  if (findings.length > 0) process.exitCode = 1
}
