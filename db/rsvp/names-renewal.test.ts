import { beforeEach, expect, it } from 'vitest'
import { describeOnBothDatabases, testCall, testRsvp } from '#db/fixtures.ts'
import { listRsvps } from '#db/rsvp/list.ts'
import { renewEveryPublicName } from '#db/rsvp/names.ts'
import { createRsvp } from '#db/rsvp/submit.ts'
import { rsvps } from '#db/rsvp/table.ts'
import { db, transaction } from '#db/storage/client.ts'
import { anonymizeOldRsvps } from './purge.ts'

const call = testCall({ actor: 'site' })
const never = new AbortController().signal
const visitor = testCall({ administrator: false })
const older = { email: 'a@b.co', attending: true, addToCalendar: false, createdAt: '2025-01-05T14:00:00.000Z' }

/** Stores responses as an older version did, whose rule showed the whole name. */
const storeOlder = (names: string[]) =>
  transaction((tx) =>
    tx.insert(rsvps).values(names.map((name, at) => ({ ...older, name, publicName: name, key: `k${at}` }))),
  )

const shown = async () => {
  const listed: { name: string }[] = JSON.parse(String((await listRsvps({ limit: 1000 }, visitor)).json))
  return listed.map(({ name }) => name).reverse()
}

describeOnBothDatabases('public names that an older rule made', () => {
  beforeEach(() => transaction((tx) => tx.delete(rsvps)))

  it('are never shown: first as a letter, then as the rule of today has them', async () => {
    await storeOlder(['김민수 집사', 'Cole、Ana', 'Ana Cole', '555-0100'])
    await createRsvp(testRsvp({ name: 'Bea Fox' }), call)
    expect(await shown()).toEqual(['김.', 'C.', 'A.', '5.', 'Bea F.'])
    await renewEveryPublicName(never)
    expect(await shown()).toEqual(['김.', 'C. A.', 'Ana C.', 'Guest', 'Bea F.'])
  })

  it('are made anew some at a time, and go on where they were cut short', async () => {
    await storeOlder(Array.from({ length: 205 }, () => 'Ana Cole'))
    const stop = new AbortController()
    const renewal = renewEveryPublicName(stop.signal)
    stop.abort()
    await renewal
    expect((await shown()).filter((name) => name === 'A.')).toHaveLength(5)
    await renewEveryPublicName(AbortSignal.abort())
    expect((await shown()).filter((name) => name === 'A.')).toHaveLength(5)
    await renewEveryPublicName(never)
    expect(await shown()).toEqual(Array(205).fill('Ana C.'))
  })

  it('stay away from what is anonymous', async () => {
    await storeOlder(['Ana Cole'])
    const later = testCall({ now: new Date('2026-01-01T00:00:00Z') })
    await Promise.all([renewEveryPublicName(never), anonymizeOldRsvps({ days: 90 }, later)])
    await renewEveryPublicName(never)
    expect(await db.select({ name: rsvps.name, publicName: rsvps.publicName }).from(rsvps)).toEqual([
      { name: 'Anonymous', publicName: 'Anonymous' },
    ])
  })
})
