import { stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { findLastSent, getLastDrills } from '#db/backup/copies/history.ts'
import { getLastBackup } from '#db/backup/operations.ts'
import { findDoubt } from '#db/clock/clock.ts'
import type { Config } from '#db/config/config.ts'
import { fileOf } from '#db/config/places.ts'
import { checkReadable } from '#db/health/operations.ts'
import { countByWeek, countRsvps } from '#db/rsvp/counts.ts'
import { getSchedule } from '#db/schedule/operations.ts'
import { weekDate } from '#db/schedule/services.ts'
import { overridable } from '#db/test-override.ts'
import { siteCall } from '#site/server/site-call.ts'
import { cachedReading } from './cached-reading.ts'

/** Milliseconds. Whoever watches asks every 15 to 60 seconds; more often nothing is read anew. */
const TTL_MS = overridable('METRICS_TTL_MS', 10_000)
/** To count all responses reads them all. */
const COUNT_TTL_MS = 3 * TTL_MS
/** Prometheus waits for 10 seconds. */
const TIMEOUT_MS = 1000

/** What is read where someone watches; what cannot be read at the moment is undefined. */
export type Readings = Awaited<ReturnType<ReturnType<typeof openReadings>>>

/** A disk, by what lies on it; in bytes. */
type Disk = { holds: 'database' | 'backups'; free: number; size: number }

/** @returns a function that reads all of it, in a second at most. */
export function openReadings(config: Config) {
  const file = fileOf(config.databaseUrl)
  const often = { ttlMs: TTL_MS, timeoutMs: TIMEOUT_MS }
  const isReadable = cachedReading(() => checkReadable(siteCall()).then(() => true), { ...often, ttlMs: TIMEOUT_MS })
  const responses = cachedReading(() => countRsvps({}, siteCall()), { ...often, ttlMs: COUNT_TTL_MS })
  const week = cachedReading(countWeek, often)
  const isClockDoubtful = cachedReading(async () => (await findDoubt(siteCall())) !== undefined, often)
  const databaseDisk = cachedReading(() => measureDisk('database', file && dirname(file)), often)
  const backupsDisk = cachedReading(() => measureDisk('backups', config.backupFolder), often)
  // A disk that does not reply is asked nothing more: each would keep one of Node's few threads for good.
  const hasBackups = async () => config.backupFolder === undefined || (await backupsDisk()) !== undefined
  const backup = cachedReading(async () => ((await hasBackups()) ? findBackup(config) : undefined), often)
  const copy = cachedReading(async () => momentIn(await findLastSent(config.copies)), often)
  const drill = cachedReading(async () => momentIn((await getLastDrills()).passed?.at), often)
  const databaseSize = cachedReading(async () => (file === undefined ? undefined : (await stat(file)).size), often)
  return async () => {
    const read = {
      isReadable: isReadable(),
      responses: responses(),
      week: week(),
      isClockDoubtful: isClockDoubtful(),
      backupAt: backup(),
      copyAt: copy(),
      drillAt: drill(),
      disks: Promise.all([databaseDisk(), backupsDisk()]),
      databaseSize: databaseSize(),
    }
    return {
      isReadable: (await read.isReadable) === true,
      responses: await read.responses,
      week: await read.week,
      isClockDoubtful: await read.isClockDoubtful,
      backupAt: await read.backupAt,
      copyAt: await read.copyAt,
      drillAt: await read.drillAt,
      disks: (await read.disks).filter((disk) => disk !== undefined),
      databaseSize: await read.databaseSize,
    }
  }
}

/** Of this week's service. */
async function countWeek() {
  const call = siteCall()
  const date = weekDate('this', await getSchedule(call), call.now)
  const [headcount] = await countByWeek({ week: date }, call)
  return headcount ?? { responses: { attending: 0, notAttending: 0 }, people: { expected: 0 } }
}

/** When the last good backup was made, in ms since 1970. Beside a file it counts only while it is there. */
async function findBackup({ backupFolder, databaseUrl }: Config): Promise<number | undefined> {
  const last = await getLastBackup({ folder: backupFolder }, siteCall())
  if (last === undefined || (!last.present && fileOf(databaseUrl) !== undefined)) return undefined
  return Date.parse(last.at)
}

/** In ms since 1970. */
function momentIn(at: string | undefined): number | undefined {
  return at === undefined ? undefined : Date.parse(at)
}

/** A folder that is gone has no disk: the age of the backups says so in time. */
async function measureDisk(holds: Disk['holds'], folder: string | undefined): Promise<Disk | undefined> {
  const disk = folder && (await statfs(folder).catch(() => undefined))
  return disk ? { holds, free: disk.bavail * disk.bsize, size: disk.blocks * disk.bsize } : undefined
}
