import { callOf } from '../../exchange.ts'
import { send, signIn, type TimedReply } from '../administrator.ts'
import { cpuOf } from '../process-usage.mjs'
import { REPORTING, reportOf } from '../reported.ts'
import { inTurns, type Row } from '../row.ts'
import { type Server, startLimit, startSite, withServers } from '../servers.ts'

const STORED = 10_000
type Sample = TimedReply & { cpu: number; blocked: number }

/** The whole list, uncompressed, as a program reads it. */
export const r1: Row = {
  id: 'R1',
  title: '`GET /api/rsvps` whole, 10,000 stored, to an administrator',
  limit: 'node:http, the same JSON made by node:sqlite in one statement',
  rounds: 9,
  measure: async (rounds) => {
    const site = await startSite(STORED, REPORTING)
    const limit = await startLimit('list-json.mjs', site.database)
    return withServers({ ours: site, limit }, async () => {
      const cookie = await signIn(site)
      const samples = await inTurns(rounds, {
        ours: () => read(site, cookie, async () => (await reportOf(site)).blocked),
        limit: () => read(limit, cookie, async () => Number.NaN),
      })
      const [one] = samples.limit
      if (samples.ours.some(({ bytes }) => bytes !== one?.bytes)) throw new Error('The lists differ in length.')
      const both = (name: 'first' | 'last' | 'cpu') => ({
        ours: samples.ours.map((sample) => sample[name]),
        limit: samples.limit.map((sample) => sample[name]),
      })
      const blocked = samples.ours.map((sample) => sample.blocked)
      return [
        { name: 'whole list', unit: 'ms', ...both('last'), target: { atMost: 1.8 } },
        { name: 'first byte', unit: 'ms', ours: both('first').ours, target: { atMost: 10 } },
        { name: 'event loop blocked at most', unit: 'ms', ours: blocked, target: { atMost: 15 } },
        { name: 'CPU', unit: 'ms', ...both('cpu') },
      ]
    })
  },
}

async function read(server: Server, cookie: string, blocked: () => Promise<number>): Promise<Sample> {
  await blocked()
  const before = cpuOf(server.pid)
  const reply = await send(server, callOf('GET /api/rsvps', undefined, { cookie }))
  if (reply.status !== 200) throw new Error(`The list was replied to with ${reply.status}.`)
  return { ...reply, cpu: cpuOf(server.pid) - before, blocked: await blocked() }
}
