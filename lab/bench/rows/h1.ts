import { loadInTurns, samplesOf } from '../load/load.ts'
import { startSameReply } from '../recorded-reply.ts'
import type { Row } from '../row.ts'
import { startSite, withServers } from '../servers.ts'

const STORED = 100

/** The public page. The main page, which shows the latest responses, is measured beside it. */
export const h1: Row = {
  id: 'H1',
  title: '`/share`, 32 connections',
  limit: 'node:http with the same bytes in memory',
  rounds: 5,
  measure: async (rounds) => {
    const site = await startSite(STORED)
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
        { name: '`/` with 100 responses', unit: '/s', ...samplesOf(mainPage, 'rate') },
        { name: 'CPU per reply of `/`', unit: 'µs', ...samplesOf(mainPage, 'cpu') },
      ]
    })
  },
}
