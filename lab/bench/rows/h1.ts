import { loadInTurns, samplesOf } from '../load/load.ts'
import { startSameReply } from '../recorded-reply.ts'
import type { Row } from '../row.ts'
import { startSite, withServers } from '../servers.ts'
import { YEAR_OF_HUNDREDS } from '../stored.ts'

/** The public page. The main page, which lists a hundred responses, is measured beside it. */
export const h1: Row = {
  id: 'H1',
  title: '`/share`, 32 connections',
  limit: 'node:http with the same bytes in memory',
  rounds: 5,
  measure: async (rounds) => {
    const site = await startSite(YEAR_OF_HUNDREDS)
    const servers = {
      ours: site,
      share: await startSameReply(`${site.url}/share`),
      main: await startSameReply(`${site.url}/`),
    }
    return withServers(servers, async ({ ours, share, main }) => {
      const sharePage = await loadInTurns(rounds, { ours, limit: share }, { path: '/share', expected: 200 })
      const mainPage = await loadInTurns(rounds, { ours, limit: main }, { path: '/', expected: 200 })
      return [
        { name: 'replies', unit: '/s', ...samplesOf(sharePage, 'rate'), target: { atLeast: 0.5 } },
        { name: 'CPU per reply', unit: 'µs', ...samplesOf(sharePage, 'cpu') },
        { name: 'p99', unit: 'ms', ...samplesOf(sharePage, 'p99') },
        { name: '`/` with 100 responses for this week', unit: '/s', ...samplesOf(mainPage, 'rate') },
        { name: 'CPU per reply of `/`', unit: 'µs', ...samplesOf(mainPage, 'cpu') },
      ]
    })
  },
}
