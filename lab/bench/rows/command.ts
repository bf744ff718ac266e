import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { both, each, inTurns, type Row } from '../figures.ts'
import { node, rsvp, timeOf } from '../measured.ts'
import { copyOfStored } from '../stored.ts'

const EXPORTED = 300_000
const LISTED = 100

/** The columns of our CSV with the same texts, but without the calendar and without defused formulas. */
const SELECTED = `
  SELECT id, name, email, phone, message, iif(attending, 'Attending', 'Not Attending'),
    (SELECT group_concat(name || iif(age IS NULL AND attending, '',
        ' (' || ltrim(coalesce(age, '') || iif(attending, '', ', not attending'), ', ') || ')'), '; ')
      FROM (SELECT * FROM family_members WHERE rsvp_id = rsvps.id ORDER BY position)),
    (SELECT group_concat(name, '; ') FROM (SELECT volunteer_roles.name FROM volunteer_signups
      JOIN volunteer_roles ON volunteer_roles.id = role_id WHERE rsvp_id = rsvps.id ORDER BY role_id)),
    calendar_type, created_at, service_date, changed_at
  FROM rsvps WHERE deleted_at IS NULL ORDER BY id DESC`

export const commandRows: Record<string, Row> = {
  C1: {
    about: '`rsvp export` of 300,000 responses as CSV; limit: `sqlite3 -csv` with the same columns from the same file',
    rounds: 3,
    async measure(rounds) {
      await using stored = await copyOfStored(EXPORTED)
      const { folder, file } = stored
      const written = join(folder, 'ours.csv')
      const output = join(folder, 'limit.csv')
      const samples = await inTurns(rounds, {
        ours: () => timeOf([rsvp, 'export', '--quiet', '--force', '--out', written], { database: file }),
        limit: () => timeOf(['sqlite3', '-csv', file, SELECTED], { output }),
      })
      for (const made of [written, output]) {
        if ((await stat(made)).size < EXPORTED * 100) throw new Error(`${made} is too short to hold all responses.`)
      }
      return [
        { name: 'the whole file', unit: 'ms', ...both(samples, 'ms'), target: { atMost: 8 } },
        { name: 'memory at most', unit: 'MiB', ours: each(samples.ours, 'memory'), target: { atMost: 130 } },
      ]
    },
  },
  L1: {
    about: '`rsvp --help`, and `rsvp list` of 100 into a pipe; limit: `node -e 0` of the Node that runs the command',
    rounds: 21,
    async measure(rounds) {
      await using stored = await copyOfStored(LISTED)
      const limit = () => timeOf([node, '-e', '0'])
      const help = await inTurns(rounds, { ours: () => timeOf([rsvp, '--help']), limit })
      const list = await inTurns(rounds, { ours: () => timeOf([rsvp, 'list'], { database: stored.file }), limit })
      return [
        { name: '`rsvp --help`', unit: 'ms', ...both(help, 'ms'), target: { atMost: 1.9 } },
        { name: '`rsvp list`', unit: 'ms', ...both(list, 'ms'), target: { atMost: 4.1 } },
      ]
    },
  },
}
