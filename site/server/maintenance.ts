import { setTimeout as delay } from 'node:timers/promises'
import { forgetCopiesBeforePurge, hasFreshBackup, keepCopyBeforePurge } from '#db/backup/before-purge.ts'
import { type Doubt, doubtSentence } from '#db/clock/doubt.ts'
import { type Look, watchClock } from '#db/clock/watch.ts'
import type { Config } from '#db/config/config.ts'
import { isOutage, UserError } from '#db/errors.ts'
import { keepHouse } from '#db/maintenance.ts'
import { renewEveryPublicName } from '#db/rsvp/public-name/renewal.ts'
import { log, logBug } from './log.ts'
import { backUp } from './nightly-backup.ts'
import { siteCall } from './site-call.ts'

/** How often the clock is looked at, in ms; … */
const LOOK_INTERVAL = 60_000
/** … how often what is due is done, … */
const INTERVAL = 60 * 60 * 1000
/** … and how often a doubtful clock is told again. */
const TOLD_EVERY = 24 * 60 * 60 * 1000

/** Does what is due by the calendar, now and every hour; answers how to stop it, between two writes. */
export function startHousekeeping(config: Config): () => Promise<void> {
  const stopping = new AbortController()
  const running = run(config, stopping.signal)
  return async () => {
    stopping.abort()
    await running
  }
}

async function run(config: Config, signal: AbortSignal): Promise<void> {
  const look = watchClock()
  const tell = teller()
  let doneAt = -INTERVAL
  let renewed = false
  while (!signal.aborted) {
    try {
      // What an older rule has shown of a name has nothing to do with the clock.
      if (!renewed) await renewEveryPublicName(siteCall(), signal)
      renewed = true
      const doubt = await lookOnce(look)
      tell(doubt)
      if (doubt !== undefined) doneAt = -INTERVAL
      else if (performance.now() - doneAt >= INTERVAL) {
        doneAt = performance.now()
        await keepOnce(config, signal)
      }
    } catch (error) {
      // A database that is busy now is not in an hour.
      if (!isOutage(error)) logBug(error, 'housekeeping')
    }
    await delay(LOOK_INTERVAL, undefined, { signal, ref: false }).catch(() => {})
  }
}

function lookOnce(look: Look): Promise<Doubt | undefined> {
  return look(siteCall(), performance.now())
}

async function keepOnce(config: Config, signal: AbortSignal): Promise<void> {
  const call = siteCall()
  const { anonymized, erased } = await keepHouse(call, signal, () => saveAll(config, call.now, signal))
  if (anonymized + erased > 0) log.warn({ anonymized, erased }, 'what was due by the calendar was purged')
  await forgetCopiesBeforePurge(config.databaseUrl, call.now)
}

/** Answers whether everything is saved. Where it is not, nothing is purged, and an hour later it is tried again. */
async function saveAll({ backupFolder, backupsKept, databaseUrl }: Config, now: Date, signal: AbortSignal) {
  if (backupFolder !== undefined) {
    return (await hasFreshBackup(backupFolder, now)) || (await backUp(backupFolder, backupsKept, signal))
  }
  try {
    await keepCopyBeforePurge(databaseUrl, now)
    return true
  } catch (error) {
    const sentence = error instanceof UserError ? error.message : String((error as { code?: unknown }).code)
    log.error({ sentence }, 'nothing was purged, because no copy could be kept before')
    return false
  }
}

/** Tells once that the clock is doubtful, again every day, and when it is believed again. */
function teller() {
  let told: { kind: Doubt['kind']; at: number } | undefined
  let left: string | undefined
  return (doubt: Doubt | undefined): void => {
    // As long as it does not move, this very site may have written it before it was started again.
    if (doubt?.kind === 'other') left ??= doubt.clock
    else left = undefined
    if (doubt !== undefined && doubt.clock === left) return
    if (doubt === undefined) {
      if (told !== undefined) log.warn('the clock is believed again')
      told = undefined
    } else if (told?.kind !== doubt.kind || performance.now() - told.at >= TOLD_EVERY) {
      told = { kind: doubt.kind, at: performance.now() }
      log.error({ sentence: doubtSentence(doubt) }, 'the clock is doubtful')
    }
  }
}
