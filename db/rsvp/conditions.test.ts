import { and } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import { describeOnBothDatabases } from '#db/fixtures.ts'
import { rsvps, volunteerSignups } from '#db/rsvp/table.ts'
import { db, transaction } from '#db/storage/client.ts'
import { conditions, hasEmail, isLive } from './conditions.ts'
import { type RsvpSearch, rsvpSearch } from './schema.ts'

const deletedAt = '2025-02-01T00:00:00.000Z'
const rows = [
  { name: 'early', email: 'Ana@Cole.example', createdAt: '2025-01-04T23:59:59.999Z' },
  { name: 'midnight', email: 'ana@cole.example', createdAt: '2025-01-05T00:00:00.000Z', attending: false },
  { name: 'deleted', email: 'ANA@COLE.EXAMPLE', createdAt: '2025-01-06T00:00:00.000Z', deletedAt },
  { name: 'other', email: 'ana@cole.example.org', createdAt: '2025-01-07T00:00:00.000Z', suspicion: 'flood' as const },
  { name: 'anonymous', email: '', createdAt: '2025-01-08T00:00:00.000Z', attending: false },
]

async function namesOf(where: Parameters<typeof and>): Promise<string[]> {
  const found = await db
    .select({ name: rsvps.name })
    .from(rsvps)
    .where(and(...where))
    .orderBy(rsvps.id)
  return found.map(({ name }) => name)
}

describeOnBothDatabases('conditions', () => {
  beforeAll(async () => {
    const usual = { attending: true, addToCalendar: false }
    await transaction((tx) =>
      tx.batch([
        tx.insert(rsvps).values(rows.map((row) => ({ ...usual, ...row, key: row.name }))),
        tx.insert(volunteerSignups).values([1, 3, 5].map((rsvpId) => ({ rsvpId, roleId: 2 }))),
      ]),
    )
  })

  it.each<[RsvpSearch, string[]]>([
    [{}, ['early', 'midnight', 'other', 'anonymous']],
    [{ status: 'attending' }, ['early', 'other']],
    [{ status: 'not-attending' }, ['midnight', 'anonymous']],
    [{ since: '2025-01-05T00:00:00Z' }, ['midnight', 'other', 'anonymous']],
    [{ since: '2025-01-04T23:59:59.999Z', status: 'attending' }, ['early', 'other']],
    [{ deleted: 'true' }, ['deleted']],
    [{ deleted: 'true', since: '2025-01-06T00:00:00.001Z' }, []],
    [{ email: 'ana@cole.example' }, ['early', 'midnight', 'deleted']],
    [{ email: 'aNA@coLE.example', status: 'attending' }, ['early', 'deleted']],
    [{ email: 'ana@cole.example', deleted: 'true' }, ['deleted']],
    [{ email: 'unknown@cole.example' }, []],
    [{ role: '2' }, ['early', 'anonymous']],
    [{ role: '2', status: 'attending' }, ['early']],
    [{ role: '3' }, []],
    [{ suspicious: 'true' }, ['other']],
  ])('of %j leave %j', async (filter, names) => {
    expect(await namesOf(conditions(rsvpSearch.parse(filter)))).toEqual(names)
  })

  it('tell what lives', async () => {
    expect(await namesOf([isLive])).toEqual(['early', 'midnight', 'other', 'anonymous'])
  })

  it.each(['%@cole.example', 'ana_cole.example', "' OR 1=1 --"])('take %j by the letter', async (email) => {
    expect(await namesOf([hasEmail(email)])).toEqual([])
  })
})
