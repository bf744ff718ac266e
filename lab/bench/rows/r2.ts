import { writeFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { callOf } from '../../exchange.ts'
import { send, signIn } from '../administrator.ts'
import type { Figure } from '../figures.ts'
import { memoryOf, peakMemoryOf } from '../process-usage.mjs'
import type { Row } from '../row.ts'
import { startSite, withServers } from '../servers.ts'

const SIZES = [10_000, 100_000, 1_000_000]
const REST_MS = 500
/** Written into `clear_refs` of a process it sets its peak memory back to what it has now (`man proc_pid_clear_refs`). */
const RESET_PEAK = '5'

/** The memory that the whole list takes, beyond that of the process before it. */
export const r2: Row = {
  id: 'R2',
  title: 'memory of `GET /api/rsvps` whole',
  limit: 'the same process at rest',
  rounds: 3,
  measure: async (rounds) => {
    const figures: Figure[] = []
    for (const stored of SIZES) {
      const ours: number[] = []
      for (let round = 0; round < rounds; round++) ours.push(await memoryOfList(stored))
      const name = `${stored.toLocaleString('en-US')} stored, more than at rest`
      figures.push({ name, unit: 'MiB', ours, target: { atMost: 25 } })
    }
    return figures
  },
}

async function memoryOfList(stored: number): Promise<number> {
  return withServers({ site: await startSite(stored) }, async ({ site }) => {
    const headers = { cookie: await signIn(site) }
    await send(site, callOf('GET /api/rsvps?limit=10', undefined, headers))
    await wait(REST_MS)
    const before = memoryOf(site.pid)
    writeFileSync(`/proc/${site.pid}/clear_refs`, RESET_PEAK)
    const { status } = await send(site, callOf('GET /api/rsvps', undefined, headers))
    if (status !== 200) throw new Error(`The list was replied to with ${status}.`)
    return peakMemoryOf(site.pid) - before
  })
}
