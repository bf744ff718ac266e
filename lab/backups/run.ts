// Makes backups while people answer, brings each back and compares what is there then. `npm run backups` makes 100,
// --count N as many as that. Ends with exit code 1 where one is not whole, or lacks what was acknowledged before it.
import { parseArgs } from 'node:util'
import { makeBackups } from './backups.ts'

const { values } = parseArgs({ options: { count: { type: 'string', default: '100' } } })
const print = (line: string) => void process.stdout.write(`${line}\n`)

const { findings, acknowledged, ms } = await makeBackups(Number(values.count), print)
const sorted = ms.toSorted((a, b) => a - b)
print(`${ms.length} backups beside ${acknowledged} answers: ${findings.length} findings`)
print(`each took ${sorted[Math.floor(sorted.length / 2)]} ms [${sorted.at(0)} … ${sorted.at(-1)}]`)
for (const finding of findings) print(finding)
if (findings.length > 0) process.exitCode = 1
