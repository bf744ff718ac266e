// Runs `npm test` at a dozen moments, each with the clock set by libfaketime, and prints a line for each and what
// failed.
//
// Arguments select tests as for `npm test`: `npm run test:long -- dates db site/e2e/admin-week`. All tests take hours.
import { spawn } from 'node:child_process'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { TZDate } from '@date-fns/tz'
import { addDays, set } from 'date-fns'
import { localEnvironment, localNode, root } from './local-node.mjs'
import { finish, run } from './run.mjs'
import { installedChromiums } from './testing/chromium.mjs'
import { faketime } from './testing/faketime.mjs'

const [chicago, kathmandu, apia] = ['America/Chicago', 'Asia/Kathmandu', 'Pacific/Apia']
/** By default, services are from 10 to 12. */
const isSaturday = (day) => day.getDay() === 6
const minutesGained = (day) => day.getTimezoneOffset() - addDays(day, 1).getTimezoneOffset()
const isDate = (month, date) => (day) => day.getMonth() + 1 === month && day.getDate() === date

/** Each in a time zone, on the next matching day. Some are so late that a new day or hour begins during the tests. */
const moments = [
  { name: 'during the service', zone: chicago, isDay: isSaturday, time: '11:30' },
  { name: 'after the service', zone: chicago, isDay: isSaturday, time: '12:30' },
  { name: 'before the day of the service', zone: chicago, isDay: (day) => day.getDay() === 5, time: '23:59' },
  { name: 'the clocks go forward', zone: chicago, isDay: (day) => minutesGained(day) > 0, time: '1:59' },
  { name: 'the clocks go back', zone: chicago, isDay: (day) => minutesGained(day) < 0, time: '1:30' },
  { name: 'the end of the year', zone: chicago, isDay: isDate(12, 31), time: '23:58' },
  { name: 'a leap day', zone: kathmandu, isDay: isDate(2, 29), time: '12:00' },
  { name: 'midnight in UTC', zone: kathmandu, isDay: isSaturday, time: '5:44' },
  { name: 'a day before others', zone: apia, isDay: isSaturday, time: '0:30' },
  { name: '39 days ahead', zone: 'UTC', days: 39 },
  { name: 'a year ahead', zone: 'UTC', days: 366 },
  { name: 'now, on a busy machine', zone: chicago, days: 0, load: 8 },
]

/** Of the tests' output, which ends with the failures. */
const LAST_LINES = 400

finish(async () => {
  const LD_PRELOAD = await faketime()
  // The browsers take turns.
  const browsers = installedChromiums()
  for (const [place, moment] of moments.entries()) {
    const at = momentOf(moment)
    const browser = browsers[place % browsers.length]
    const environment = localEnvironment({
      LD_PRELOAD,
      // The monotonic clock is set as well: otherwise Chromium takes minutes for a page.
      FAKETIME: `+${Math.max(0, Math.round((at - Date.now()) / 1000))}`,
      TZ: moment.zone,
      ...(browser && { CHROMIUM_PATH: browser }),
    })
    const load = Array.from({ length: moment.load ?? 0 }, burn)
    const words = [join(root, 'scripts/test.mjs'), ...process.argv.slice(2)]
    const { code, output } = await run(localNode(), words, environment)
    for (const process_ of load) process_.kill()
    const day = at.toLocaleString('sv-SE', { timeZone: moment.zone, dateStyle: 'short', timeStyle: 'short' })
    const counts = output.trimEnd().split('\n').at(-1)
    console.log(`${code === 0 ? 'ok   ' : 'wrong'} ${day} ${moment.zone}, ${moment.name}: ${counts} (${browser})`)
    if (code === 0) continue
    process.exitCode = 1
    console.log(output.split('\n').slice(-LAST_LINES).join('\n'))
  }
})

function momentOf({ zone, isDay, time, days }) {
  const now = new TZDate(Date.now(), zone)
  if (days !== undefined) return addDays(now, days)
  const [hours, minutes] = time.split(':').map(Number)
  for (let day = set(now, { hours: 0, minutes: 0, seconds: 0 }); ; day = addDays(day, 1)) {
    const moment = set(day, { hours, minutes })
    if (isDay(day) && moment > now) return moment
  }
}

function burn() {
  const process_ = spawn(localNode(), ['-e', 'for (;;);'], { stdio: 'ignore' })
  setPriority(process_.pid, 19)
  return process_
}
