import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { rsvp, timeOf } from '../command.ts'
import { inTurns, type Row } from '../row.ts'
import { copyOfStored } from '../stored.ts'

const STORED = 1_000_000

/** The columns of our CSV with the same texts, except the calendar and that no formula is defused. */
const SELECTED = `
  SELECT id, name, email, phone, message, iif(attending, 'Attending', 'Not Attending'),
    (SELECT group_concat(name || iif(age IS NULL AND attending, '',
        ' (' || ltrim(coalesce(age, '') || iif(attending, '', ', not attending'), ', ') || ')'), '; ')
      FROM (SELECT * FROM family_members WHERE rsvp_id = rsvps.id ORDER BY position)),
    (SELECT group_concat(name, '; ') FROM (SELECT volunteer_roles.name FROM volunteer_signups
      JOIN volunteer_roles ON volunteer_roles.id = role_id WHERE rsvp_id = rsvps.id ORDER BY role_id)),
    calendar_type, created_at, service_date, changed_at
  FROM rsvps WHERE deleted_at IS NULL ORDER BY id DESC`

/** The CSV of a million responses, into a file. */
export const c1: Row = {
  id: 'C1',
  title: '`rsvp export` of 1,000,000 responses as CSV',
  limit: '`sqlite3 -csv` with the same columns from the same file',
  rounds: 3,
  measure: async (rounds) => {
    const { folder, file } = await copyOfStored(STORED)
    const written = join(folder, 'ours.csv')
    const output = join(folder, 'limit.csv')
    try {
      const { ours, limit } = await inTurns(rounds, {
        ours: () => timeOf([rsvp, 'export', '--quiet', '--force', '--out', written], { database: file }),
        limit: () => timeOf(['sqlite3', '-csv', file, SELECTED], { output }),
      })
      for (const made of [written, output]) {
        if ((await stat(made)).size < STORED * 100) throw new Error(`${made} is too short to hold all responses.`)
      }
      return [{ name: 'the whole file', unit: 'ms', ours, limit, target: { atMost: 2.0 } }]
    } finally {
      await rm(folder, { recursive: true })
    }
  },
}
