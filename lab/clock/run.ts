// Runs sites with wrong clocks (libfaketime), from their start or from later on, and in nights in which the clocks change.
// Ends with exit code 1 where a wrong clock anonymizes, erases or removes anything, where it is not reported, or where a
// night does not have exactly one backup. `npm run clocks` takes two to four minutes.
import { nights, runNight } from './nights.ts'
import { listCases, tryClock, tryConfirmation } from './wrong-clock.ts'

const print = (line: string) => void process.stdout.write(`${line}\n`)
const findings: string[] = []

function report(name: string, found: string[]): void {
  print(`${name}: ${found.length} findings`)
  findings.push(...found)
}

for (const clock of listCases()) report(`${clock.name} at start`, await tryClock(clock, 'at start'))
// A site checks its clock once a minute, so these wait at the same time.
const running = listCases().map(async (clock) =>
  report(`${clock.name} while running`, await tryClock(clock, 'while running')),
)
await Promise.all([...running, tryConfirmation().then((found) => report('a confirmed clock', found))])
for (const night of nights) {
  const { times, findings: found } = await runNight(night)
  report(`${night.name} (backups at ${times.join(', ')})`, found)
}
for (const finding of findings) print(finding)
print(`${findings.length} findings`)
if (findings.length > 0) process.exitCode = 1
