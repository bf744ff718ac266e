import { stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findLastSent, getLastDrills } from '#db/backup/copies/history.ts'
import { getLastBackup } from '#db/backup/operations.ts'
import { findDoubt } from '#db/clock/clock.ts'
import type { Config } from '#db/config/config.ts'
import { fileOf } from '#db/config/places.ts'
import { isOutage } from '#db/errors.ts'
import { checkReadable } from '#db/health/operations.ts'
import { countByWeek, countRsvps } from '#db/rsvp/counts.ts'
import { getSchedule } from '#db/schedule/operations.ts'
import { weekDate } from '#db/schedule/services.ts'
import { overridable } from '#db/test-override.ts'
import { logBug, logOutage } from '#site/server/log.ts'
import { siteCall } from '#site/server/site-call.ts'

/** Milliseconds. Whoever watches asks every 15 to 60 seconds; more often nothing is read anew. */
const TTL_MS = overridable('METRICS_TTL_MS', 10_000)
/** To count all responses reads them all. */
const COUNT_TTL_MS = 3 * TTL_MS
/** Prometheus waits for 10 seconds. */
const TIMEOUT_MS = 1000

/** What is read where someone watches, each in a second at most; what cannot be read at the moment is undefined. */
export function openReadings({ databaseUrl, backupFolder, copies }: Config) {
  const file = fileOf(databaseUrl)
  const backupsDisk = cached(() => measureDisk(backupFolder))

  /** Beside a file it counts only while it is there. */
  async function findBackup(): Promise<string | undefined> {
    // A disk that does not reply is asked nothing more: each would keep one of Node's few threads for good.
    if (backupFolder !== undefined && (await backupsDisk()) === undefined) return undefined
    const last = await getLastBackup({ folder: backupFolder }, siteCall())
    return last?.present || file === undefined ? last?.at : undefined
  }

  return {
    isReadable: cached(() => checkReadable(siteCall()).then(() => true), TIMEOUT_MS),
    responses: cached(() => countRsvps({}, siteCall()), COUNT_TTL_MS),
    week: cached(countWeek),
    clockDoubtful: cached(async () => Number((await findDoubt(siteCall())) !== undefined)),
    databaseDisk: cached(() => measureDisk(file && dirname(file))),
    databaseSize: cached(async () => (file === undefined ? undefined : (await stat(file)).size)),
    backupsDisk,
    backupAt: cached(findBackup),
    copyAt: cached(async () => (await findLastSent(copies))?.at),
    drillAt: cached(async () => (await getLastDrills()).passed?.at),
  }
}

/**
 * Reads something at most once in `ttlMs`, and never twice at a time: a disk or a database that hangs is asked once. What
 * takes longer than `timeoutMs` or fails is undefined for now.
 */
export function cached<Value>(
  read: () => Promise<Value>,
  ttlMs = TTL_MS,
  timeoutMs = TIMEOUT_MS,
): () => Promise<Value | undefined> {
  let last: { at: number; value: Value } | undefined
  let reading: Promise<void> | undefined

  async function readAnew(): Promise<void> {
    last = undefined
    try {
      last = { value: await read(), at: performance.now() }
    } catch (error) {
      // One metric less is no reason to be without all the others.
      if (isOutage(error)) logOutage(error)
      else logBug(error, 'metrics')
    } finally {
      reading = undefined
    }
  }

  return async () => {
    if (last === undefined || performance.now() - last.at >= ttlMs) {
      reading ??= readAnew()
      await Promise.race([reading, delay(timeoutMs, undefined, { ref: false })])
    }
    return last?.value
  }
}

/** Of this week's service. */
async function countWeek() {
  const call = siteCall()
  const date = weekDate('this', await getSchedule(call), call.now)
  const [headcount] = await countByWeek({ week: date }, call)
  return headcount ?? { responses: { attending: 0, notAttending: 0 }, people: { expected: 0 } }
}

/** In bytes. A folder that is gone has no disk: the age of the backups says so in time. */
async function measureDisk(folder: string | undefined): Promise<{ free: number; size: number } | undefined> {
  const disk = folder && (await statfs(folder).catch(() => undefined))
  return disk ? { free: disk.bavail * disk.bsize, size: disk.blocks * disk.bsize } : undefined
}
