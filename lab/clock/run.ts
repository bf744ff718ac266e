// Lets sites see wrong clocks (libfaketime), at their start and while they run, and nights in which the clocks change.
// Ends with exit code 1 where something was made anonymous, erased or removed by such a clock, where it was not said, or
// where a night has not exactly one backup. `npm run clocks` takes two to four minutes.
import { nights, spend } from './nights.ts'
import { listCases, tryClock, tryConfirmation } from './wrong-clock.ts'

const print = (line: string) => void process.stdout.write(`${line}\n`)
const findings: string[] = []

function report(name: string, found: string[]): void {
  print(`${name}: ${found.length} findings`)
  findings.push(...found)
}

for (const clock of listCases()) report(`${clock.name} at start`, await tryClock(clock, 'at start'))
// A site looks at the clock once a minute: they wait together.
const running = listCases().map(async (clock) =>
  report(`${clock.name} while running`, await tryClock(clock, 'while running')),
)
await Promise.all([...running, tryConfirmation().then((found) => report('a confirmed clock', found))])
for (const night of nights) {
  const { times, findings: found } = await spend(night)
  report(`${night.name} (backups at ${times.join(', ')})`, found)
}
for (const finding of findings) print(finding)
print(`${findings.length} findings`)
if (findings.length > 0) process.exitCode = 1
