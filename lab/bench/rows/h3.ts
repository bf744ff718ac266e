import { rm } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import type { RsvpBody } from '../../rsvp.ts'
import { type LoadSample, load, samplesOf } from '../load/load.ts'
import { inTurns, type Row } from '../row.ts'
import { type Server, startLimit, startSite, withServers } from '../servers.ts'
import { copyOfStored } from '../stored.ts'

const body: RsvpBody = {
  name: 'Ana Cole',
  email: 'ana.{number}@visitor.example',
  phone: '+1 555 0100',
  message: 'We look forward to it.',
  attending: true,
  familyMembers: [
    { name: 'Joel Cole', age: 'adult', attending: true },
    { name: 'Ida Cole', age: 'child', attending: true },
  ],
  volunteerRoles: [3],
}
/** As the form sends it. */
const headers = { 'content-type': 'application/json', 'idempotency-key': 'key-{number}', 'form-age': '30000' }
export const rsvpRequest = { method: 'POST', path: '/api/rsvp', headers, body: JSON.stringify(body), expected: 201 }

/** RSVPs, each one durable before its reply. */
export const h3: Row = {
  id: 'H3',
  title: '`POST /api/rsvp` with 2 members and a role, 32 connections',
  limit: 'node:http and node:sqlite, prepared, a commit each, WAL, synchronous=FULL',
  rounds: 7,
  measure: async (rounds) => {
    const { folder, file } = await copyOfStored(0)
    const site = await startSite(0)
    const limit = await startLimit('durable-rsvp.mjs', file)
    try {
      return await withServers({ ours: site, limit }, async () => {
        const samples = await inTurns(rounds, {
          ours: () => loadAndCount(site, site.database),
          limit: () => loadAndCount(limit, file),
        })
        return [
          { name: 'replies', unit: '/s', ...samplesOf(samples, 'rate'), target: { atLeast: 1.0 } },
          { name: 'p99', unit: 'ms', ...samplesOf(samples, 'p99'), target: { atMost: 2.0 } },
          { name: 'p50', unit: 'ms', ...samplesOf(samples, 'p50') },
          { name: 'CPU per reply', unit: 'µs', ...samplesOf(samples, 'cpu') },
        ]
      })
    } finally {
      await rm(folder, { recursive: true })
    }
  },
}

/** Throws where fewer RSVPs are stored than were acknowledged. */
async function loadAndCount(server: Server, file: string): Promise<LoadSample> {
  const before = countIn(file)
  const sample = await load(server, rsvpRequest)
  const stored = countIn(file) - before
  if (stored !== sample.replies) throw new Error(`${sample.replies} RSVPs were acknowledged, ${stored} are stored.`)
  return sample
}

function countIn(file: string): number {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5000 })
  try {
    return Number(database.prepare('SELECT count(*) AS count FROM rsvps').get()?.count)
  } finally {
    database.close()
  }
}
