import { setTimeout as delay } from 'node:timers/promises'
import { ownAddress } from '#db/config/places.ts'
import { overridable } from '#db/test-override.ts'
import { layoutOf } from '../layout.ts'
import type { Release } from '../release.ts'
import { configOf } from '../settings.ts'
import { runningProcess } from '../state.ts'
import { examineSite } from './examine-site.ts'

/** How long a site has to be well until an update counts: most that goes wrong does so soon after the start. */
const WATCH_MS = overridable('UPDATE_WATCH_MS', 5_000)
const POLL_INTERVAL_MS = 500

/**
 * Watches a site that has just been started with a release.
 * @throws Error that says what is wrong, as the end of a sentence.
 */
export async function assertWell(site: string, { version }: Release): Promise<void> {
  const { host, port } = await configOf(site)
  const [unit = ''] = layoutOf(site).units
  const first = await runningProcess(unit)
  if (first.version !== version) throw new Error(`it runs ${first.version ?? 'nothing'}`)
  await watch(ownAddress(host, port), unit, first.id)
}

/**
 * Watches a site that is the process of a unit.
 * @throws Error that says what is wrong, as the end of a sentence.
 */
export async function watch(address: string, unit: string, id: string): Promise<void> {
  for (const end = Date.now() + WATCH_MS; Date.now() < end; await delay(POLL_INTERVAL_MS)) {
    await examineSite(address)
    const now = await runningProcess(unit)
    if (now.id !== id) throw new Error('it ended after its start')
  }
}
