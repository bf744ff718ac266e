import { setTimeout as wait } from 'node:timers/promises'
import { callOf } from '../../exchange.ts'
import { Random } from '../../random.ts'
import { makeRsvp } from '../../rsvp.ts'
import { send } from '../administrator.ts'
import { load } from '../load/load.ts'
import { memoryOf, peakMemoryOf } from '../process-usage.mjs'
import { inTurns, type Row } from '../row.ts'
import { type Server, startLimit, startSite, withServers } from '../servers.ts'
import { YEAR_OF_HUNDREDS } from '../stored.ts'
import { rsvpRequest } from './h3.ts'

const REST_MS = 1000
type Sample = { idle: number; loaded: number }

/** Memory after the first RSVP, and the most of it while 32 connections read pages and send RSVPs. */
export const h5: Row = {
  id: 'H5',
  title: 'memory at rest after the first write; at most under load',
  limit: 'a raw node:http server',
  rounds: 3,
  measure: async (rounds) => {
    const { ours, limit } = await inTurns(rounds, {
      ours: async () => measured(await startSite(YEAR_OF_HUNDREDS), 201),
      limit: async () => measured(await startLimit('fixed-reply.mjs'), 200),
    })
    const both = (name: keyof Sample) => ({
      ours: ours.map((sample) => sample[name]),
      limit: limit.map((sample) => sample[name]),
    })
    return [
      { name: 'at rest', unit: 'MiB', ...both('idle'), target: { atMost: 1.7 } },
      { name: 'under load', unit: 'MiB', ...both('loaded'), target: { atMost: 2.5 } },
    ]
  },
}

async function measured(server: Server, written: number): Promise<Sample> {
  return withServers({ server }, async () => {
    await send(server, callOf('GET /share'))
    await send(server, callOf('POST /api/rsvp', makeRsvp('first', new Random(1))))
    await wait(REST_MS)
    const idle = memoryOf(server.pid)
    await load(server, { path: '/share', expected: 200 })
    await load(server, { path: '/', expected: 200 })
    await load(server, { ...rsvpRequest, expected: written })
    return { idle, loaded: peakMemoryOf(server.pid) }
  })
}
