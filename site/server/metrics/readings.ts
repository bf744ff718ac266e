import { stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { getLastBackup } from '#db/backup/operations.ts'
import { findDoubt } from '#db/clock/clock.ts'
import type { Config } from '#db/config/config.ts'
import { fileOf } from '#db/config/places.ts'
import { isOutage } from '#db/errors.ts'
import { checkReadable } from '#db/health/operations.ts'
import { countMail } from '#db/mail/operations.ts'
import { countByWeek, countRsvps } from '#db/rsvp/counts.ts'
import { getSchedule } from '#db/schedule/operations.ts'
import { weekDate } from '#db/schedule/services.ts'
import { overridable } from '#db/test-override.ts'
import { logBug, logOutage } from '#site/server/log.ts'
import { asOperation, siteCall } from '#site/server/site-call.ts'

/** Cache lifetime in ms. Prometheus scrapes every 15 to 60 seconds. */
const TTL_MS = overridable('METRICS_TTL_MS', 10_000)
/** Counting reads all responses. */
const COUNT_TTL_MS = 3 * TTL_MS
/** Prometheus waits for 10 seconds. */
const TIMEOUT_MS = 1000

/** The readings behind the metrics, each limited to a second; undefined if it cannot be read now. */
export function openReadings({ databaseUrl, backupFolder, mail }: Config) {
  const file = fileOf(databaseUrl)
  const backupsDisk = cached(() => measureDisk(backupFolder))

  /** For a database file, a backup counts only while it exists. */
  async function findBackup(): Promise<string | undefined> {
    // A hanging disk is not asked again: each call would block one of Node's few threads for good.
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
    mail: cached(async () => mail && countMail(siteCall())),
  }
}

/** Reads at most once in `ttlMs`, and one at a time. undefined if it fails or takes longer than `timeoutMs`. */
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
      last = { value: await asOperation(read), at: performance.now() }
    } catch (error) {
      // One failed reading must not take the other metrics with it.
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

async function countWeek() {
  const call = siteCall()
  const date = weekDate('this', await getSchedule(call), call.now)
  const [headcount] = await countByWeek({ week: date }, call)
  return headcount ?? { responses: { attending: 0, notAttending: 0 }, people: { expected: 0 } }
}

/** In bytes; undefined for a missing folder, which the age of the backups shows in time. */
async function measureDisk(folder: string | undefined): Promise<{ free: number; size: number } | undefined> {
  const disk = folder && (await statfs(folder).catch(() => undefined))
  return disk ? { free: disk.bavail * disk.bsize, size: disk.blocks * disk.bsize } : undefined
}
