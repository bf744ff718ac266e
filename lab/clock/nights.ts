import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { momentOfBackup } from '#db/backup/names.ts'
import { openStage, type Site, waitUntil } from './stage.ts'

const STEP_MS = 30 * 60 * 1000

/** Nights in which the clocks change: start and end in UTC, and the local times of the backups that are due. */
export const nights = [
  {
    name: 'the clocks go forward',
    zone: 'America/New_York',
    time: '02:30',
    from: '2026-03-08T03:10:00Z',
    to: '2026-03-09T07:10:00Z',
    expected: ['3/7/2026 22:10', '3/8/2026 03:40', '3/9/2026 02:40'],
  },
  {
    name: 'the clocks go back',
    zone: 'America/New_York',
    time: '01:30',
    from: '2026-11-01T02:10:00Z',
    to: '2026-11-02T07:10:00Z',
    expected: ['10/31/2026 22:10', '11/1/2026 01:40', '11/2/2026 01:40'],
  },
]
type Night = (typeof nights)[number]

/** Runs a site through such a night in steps of half an hour. Returns the local times of its backups, and findings. */
export async function runNight({ name, zone, time, from, to, expected }: Night) {
  const stage = await openStage({ monotonic: true, withBackups: true, variables: { TZ: zone, BACKUP_TIME: time } })
  const backups = join(stage.folder, 'backups')
  const made = () => (existsSync(backups) ? readdirSync(backups).toSorted() : [])
  const begun = Date.now()
  const setTo = (moment: number) => stage.set(moment - begun)
  /** Waits for the backup that is due and for child processes, however slow the disk is. */
  const finishStep = async (site: Site, moment: number): Promise<boolean> => {
    const due = expected.indexOf(localTime(new Date(moment), zone)) + 1
    const isMade = await waitUntil(async () => {
      await wake(site)
      return made().length >= due
    })
    await waitForChildren(site)
    return isMade
  }
  try {
    setTo(Date.parse(from))
    const site = await stage.start()
    for (let moment = Date.parse(from), isMade = true; isMade && moment <= Date.parse(to); moment += STEP_MS) {
      setTo(moment)
      isMade = await finishStep(site, moment)
    }
    await site.stop()
    const times = made().map((file) => localTime(momentOfBackup(file), zone))
    const isRight = JSON.stringify(times) === JSON.stringify(expected)
    const sentence = `${name}: backups at ${times.join(', ')}; ${expected.join(', ')} are due. The log: ${site.output()}`
    return { times, findings: isRight ? [] : [sentence] }
  } finally {
    stage.close()
  }
}

/** Sends a request, at which the site looks whether a backup is due. */
async function wake({ url }: Site): Promise<void> {
  // An open connection would time out when the clock jumps by half an hour.
  await (await fetch(`${url}/api/health`, { headers: { connection: 'close' } })).arrayBuffer()
}

/** Waits until no child process of the site runs. */
async function waitForChildren(site: Site): Promise<void> {
  for (let quiet = 0; quiet < 3; ) {
    await wake(site)
    await wait(50)
    quiet = childrenOf(site.pid) === '' ? quiet + 1 : 0
  }
}

function childrenOf(pid: number | undefined): string {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
}

/** E.g. `3/8/2026 03:40`: rounded down to ten minutes, because a machine may be busy. */
function localTime(moment: Date, zone: string): string {
  const text = moment.toLocaleString('en-US', { timeZone: zone, hourCycle: 'h23' })
  return text.replace(/^(.+), (\d\d):(\d)\d:\d\d.*$/, '$1 $2:$30')
}
