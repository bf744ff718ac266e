import { db, setDamaged, transaction } from '#db/storage/client.ts'
import { storedSettings } from '#db/tables/invitation.ts'
import { UserError } from '#db/values/errors.ts'
import { overridable } from '#db/values/test-override.ts'
import type { Call } from './call.ts'

/** How long the result of a probe write is reused, in ms, because visitors must not keep the disk busy. */
const WRITE_PROBE_TTL_MS = overridable('WRITE_PROBE_TTL_MS', 2000)

let lastProbe: { at: number; result: Promise<void> } | undefined

/**
 * Whether the database can be read and written.
 * @throws UserError 'unavailable', 'busy' or 'damaged' with the reason when it cannot.
 */
export async function checkHealth(call: Call) {
  await db.select({ id: storedSettings.id }).from(storedSettings)
  const now = performance.now()
  if (lastProbe === undefined || now - lastProbe.at >= WRITE_PROBE_TTL_MS) lastProbe = { at: now, result: write(call) }
  await lastProbe.result
  return { status: 'ok' as const }
}

/** Makes the site read-only after another process, e.g. the nightly backup, has found damage. */
export async function reportDamage() {
  return setDamaged(true)
}

async function write({ now }: Call): Promise<void> {
  try {
    // A new value each time, because SQLite does not write an unchanged page.
    await transaction((tx) => tx.update(storedSettings).set({ checkedAt: now.getTime() }), { repeatable: true })
  } catch (error) {
    // For monitoring, a full disk is an outage.
    if (error instanceof UserError && error.code === 'full') throw new UserError('unavailable', error.message)
    throw error
  }
}
