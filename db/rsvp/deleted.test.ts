import { beforeEach, expect, it } from 'vitest'
import { describeOnBothDatabases, testCall } from '#db/fixtures.ts'
import { rsvps } from '#db/rsvp/table.ts'
import { transaction } from '#db/storage/client.ts'
import { getDeletedRsvps } from './list.ts'

const call = testCall()
const at = (second: number) => new Date(call.now.getTime() + second * 1000).toISOString()

async function add(deletions: (string | null)[]): Promise<void> {
  const row = { name: 'Ana', email: 'a@b.co', attending: true, addToCalendar: false, createdAt: '' }
  const rows = deletions.map((deletedAt, place) => ({ ...row, id: place + 1, key: String(place), deletedAt }))
  await transaction((tx) => tx.insert(rsvps).values(rows))
}

describeOnBothDatabases('getDeletedRsvps', () => {
  beforeEach(() => transaction((tx) => tx.delete(rsvps)))

  it('has nothing where nothing was deleted', async () => {
    await add([null])
    expect(await getDeletedRsvps(call)).toEqual({ responses: [], total: 0, together: [] })
  })

  it('begins with what was deleted last, also where that came in first', async () => {
    await add([at(500), null, ...Array.from({ length: 119 }, (_, place) => at(place))])
    const { responses, total, together } = await getDeletedRsvps(call)
    expect(responses.map(({ id }) => id)).toEqual([1, ...Array.from({ length: 99 }, (_, place) => 121 - place)])
    expect(responses[0]).toMatchObject({ name: 'Ana', deletedAt: at(500), familyMembers: [] })
    expect({ total, together }).toEqual({ total: 120, together: [] })
  })

  it('counts what was deleted together, the last 20 deletions of several', async () => {
    const deletions = Array.from({ length: 22 }, (_, place) => [at(place), at(place)]).flat()
    await add([...deletions, at(21), at(30), null, null])
    const { together } = await getDeletedRsvps(call)
    expect(together).toHaveLength(20)
    expect(together.slice(0, 2)).toEqual([
      { deletedAt: at(21), count: 3 },
      { deletedAt: at(20), count: 2 },
    ])
  })
})
