import { eq } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import { describeOnBothDatabases } from '#db/fixtures.ts'
import { rsvps } from '#db/rsvp/table.ts'
import { db, transaction } from '#db/storage/client.ts'
import { isNamed } from './conditions.ts'
import { isAnonymous } from './fields.ts'

const rows = [
  { email: 'ana@cole.example' },
  { name: 'Anonymous' },
  { name: 'Anonymous', email: 'ana@cole.example' },
  { name: 'Anonymous', phone: '555 0101' },
  { name: 'Anonymous', message: 'Please pray for us' },
  { name: 'Ana Cole' },
  { name: 'anonymous' },
].map((row, at) => ({ name: 'Ana Cole', email: '', phone: null, message: null, ...row, id: at + 1 }))
const anonymous = 2

describeOnBothDatabases('an anonymized response', () => {
  beforeAll(async () => {
    const usual = { attending: true, addToCalendar: false, createdAt: '2025-01-05T14:00:00.000Z' }
    await transaction((tx) => tx.insert(rsvps).values(rows.map((row) => ({ ...usual, ...row, key: String(row.id) }))))
  })

  it.each(rows)('is told from %j by what is left to remove', async (row) => {
    const [found] = await db.select({ isNamed }).from(rsvps).where(eq(rsvps.id, row.id))
    expect(Boolean(found?.isNamed)).toBe(row.id !== anonymous)
    expect(isAnonymous(row)).toBe(row.id === anonymous)
  })
})
