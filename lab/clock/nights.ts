import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { momentOf } from '#db/backup/names.ts'
import { comes, openStage, type Site } from './stage.ts'

const STEP = 30 * 60 * 1000

/** Nights in which the clocks change: from when to when (UTC), and the local times of the backups that are due in it. */
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
export type Night = (typeof nights)[number]

/** Lets a site see such a night in steps of half an hour; answers the local times of its backups, and what is wrong. */
export async function spend({ name, zone, time, from, to, expected }: Night) {
  const stage = await openStage({ monotonic: true, withBackups: true, variables: { TZ: zone, BACKUP_TIME: time } })
  const backups = join(stage.folder, 'backups')
  const made = () => (existsSync(backups) ? readdirSync(backups).toSorted() : [])
  const begun = Date.now()
  const setTo = (moment: number) => stage.set(moment - begun)
  /** However long the disk takes: time goes on once the backup that is due has come, and nothing else is under way. */
  const settle = async (site: Site, moment: number): Promise<boolean> => {
    const due = expected.indexOf(localTime(new Date(moment), zone)) + 1
    const hasCome = await comes(async () => {
      await wake(site)
      return made().length >= due
    })
    await rest(site)
    return hasCome
  }
  try {
    setTo(Date.parse(from))
    const site = await stage.start()
    for (let moment = Date.parse(from), hasCome = true; hasCome && moment <= Date.parse(to); moment += STEP) {
      setTo(moment)
      hasCome = await settle(site, moment)
    }
    await site.stop()
    const times = made().map((file) => localTime(momentOf(file), zone))
    const isRight = JSON.stringify(times) === JSON.stringify(expected)
    const sentence = `${name}: backups at ${times.join(', ')}; ${expected.join(', ')} are due. The site said: ${site.output()}`
    return { times, findings: isRight ? [] : [sentence] }
  } finally {
    stage.close()
  }
}

/** A request wakes the site, which finds that its time has come. */
async function wake({ url }: Site): Promise<void> {
  // A connection that was kept open is over when half an hour has passed at once.
  await (await fetch(`${url}/api/health`, { headers: { connection: 'close' } })).arrayBuffer()
}

/** Until nothing that the site started still runs. */
async function rest(site: Site): Promise<void> {
  for (let quiet = 0; quiet < 3; ) {
    await wake(site)
    await wait(50)
    quiet = childrenOf(site.pid) === '' ? quiet + 1 : 0
  }
}

function childrenOf(pid: number | undefined): string {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
}

/** As in `3/8/2026 03:40`: to ten minutes, as a computer may be busy. */
function localTime(moment: Date, zone: string): string {
  const text = moment.toLocaleString('en-US', { timeZone: zone, hourCycle: 'h23' })
  return text.replace(/^(.+), (\d\d):(\d)\d:\d\d.*$/, '$1 $2:$30')
}
