import { loadInTurns, samplesOf } from '../load/load.ts'
import { startSameReply } from '../recorded-reply.ts'
import type { Row } from '../row.ts'
import { startSite, withServers } from '../servers.ts'

/** The cheapest call through everything: front, Astro, middleware, operation, database. */
export const h2: Row = {
  id: 'H2',
  title: '`GET /api/features`, 32 connections',
  limit: 'node:http with the same JSON',
  rounds: 7,
  measure: async (rounds) => {
    const site = await startSite(0)
    const limit = await startSameReply(`${site.url}/api/features`)
    return withServers({ ours: site, limit }, async (servers) => {
      const samples = await loadInTurns(rounds, servers, { path: '/api/features', expected: 200 })
      return [
        { name: 'replies', unit: '/s', ...samplesOf(samples, 'rate'), target: { atLeast: 0.14 } },
        { name: 'CPU per reply', unit: 'µs', ...samplesOf(samples, 'cpu') },
        { name: 'p99', unit: 'ms', ...samplesOf(samples, 'p99') },
      ]
    })
  },
}
