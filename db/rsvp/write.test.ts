import { beforeEach, describe, expect, it } from 'vitest'
import { db, transaction } from '#db/storage/client.ts'
import { rsvps } from '#db/tables/rsvp.ts'
import { emptyTables, fileDatabase, openForTests, testCall, testRsvp } from '#testing/database-fixtures.ts'
import { createRsvp } from './submit.ts'
import { momentOfChange, momentOfDeletion } from './write.ts'

openForTests(fileDatabase().url)
const { now } = testCall()
const later = (ms: number) => new Date(now.getTime() + ms)
const read = async () => (await db.select().from(rsvps))[0]

beforeEach(async () => {
  await emptyTables(rsvps)
  await createRsvp(testRsvp(), testCall())
})

describe.each([0, 1, 499, 998, 999])('%i ms after the full second', (ms) => {
  it('a change that was asked for before the last one has a later moment all the same', async () => {
    for (const moment of [momentOfChange(later(ms)), momentOfChange(now)])
      await transaction((tx) => tx.update(rsvps).set({ changedAt: moment }))
    expect(await read()).toMatchObject({ changedAt: later(ms + 1).toISOString() })
  })

  it('a deletion has another moment than the last change', async () => {
    await transaction((tx) => tx.update(rsvps).set({ changedAt: later(ms).toISOString() }))
    await transaction((tx) => tx.update(rsvps).set({ deletedAt: momentOfDeletion(later(ms)) }))
    expect(await read()).toMatchObject({ deletedAt: later(ms + 1).toISOString() })
  })
})
