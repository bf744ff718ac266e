import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { listFloods } from '#db/access/floods.ts'
import { allowances } from '#db/access/table.ts'
import { describeOnBothDatabases, fileDatabase, openForTests, testCall, testRsvp } from '#db/fixtures.ts'
import type { StoredRsvp } from '#db/rsvp/schema.ts'
import { rsvps } from '#db/rsvp/table.ts'
import { db, transaction } from '#db/storage/client.ts'
import { listRsvps } from './list.ts'
import { createRsvp, submitRsvp } from './submit.ts'

const household = {
  familyMembers: [{ name: 'Joel Cole' }, { name: 'Mia Cole', age: 'child', attending: false }],
  volunteerRoles: [2, 1],
}
const visitor = (allowance = { atOnce: 60, everyMs: 2000 }, network = '203.0.113.7') =>
  testCall({ administrator: false, actor: 'visitor', network, allowance })

async function stored() {
  return JSON.parse(String((await listRsvps({}, testCall())).json))
}

function marksOf(responses: StoredRsvp[]) {
  return responses.map(({ suspicion }) => suspicion)
}

async function outcomesOf(sent: Promise<{ id: number }>[]): Promise<string[]> {
  return (await Promise.allSettled(sent)).map((each) => (each.status === 'fulfilled' ? 'stored' : each.reason.code))
}

describeOnBothDatabases('RSVPs that come together', () => {
  beforeEach(async () => {
    await transaction((tx) => tx.batch([tx.delete(rsvps), tx.delete(allowances)]))
  })

  it('are stored whole, each with its own', async () => {
    const names = Array.from({ length: 40 }, (_, place) => `Ana Cole${String.fromCharCode(97 + (place % 26))} ${place}`)
    const sent = names.map((name, place) =>
      createRsvp({ ...testRsvp({ name, message: `№ ${place} "'` }), ...(place % 2 === 0 && household) }, visitor()),
    )
    const ids = (await Promise.all(sent)).map(({ id }) => id)
    const rows = await stored()
    for (const [place, name] of names.entries()) {
      const row = rows.find(({ id }: { id: number }) => id === ids[place])
      expect(row).toMatchObject({ name, message: `№ ${place} "'`, phone: null, deletedAt: null, suspicion: null })
      expect(row.familyMembers).toEqual(
        place % 2 === 1
          ? []
          : [
              { name: 'Joel Cole', age: null, attending: true },
              { name: 'Mia Cole', age: 'child', attending: false },
            ],
      )
      expect(row.volunteerSignups).toHaveLength(place % 2 === 1 ? 0 : 2)
    }
  })

  it('get no more of an allowance than there is, whatever they are and whoever else sends', async () => {
    // Half of one more: whoever asks twice does so some milliseconds later, and would otherwise leave too little to others.
    const small = { atOnce: 3.5, everyMs: 60_000 }
    const home = Array.from({ length: 6 }, () => createRsvp(testRsvp(), visitor(small)))
    const invalid = createRsvp(testRsvp({ name: '' }), visitor(small, '198.51.100.1'))
    const others = Array.from({ length: 3 }, (_, place) => createRsvp(testRsvp(), visitor(small, `192.0.${place}.1`)))
    const outcomes = await outcomesOf([...home, invalid, ...others])
    expect(outcomes.slice(0, 6).toSorted()).toEqual([...Array(3).fill('stored'), ...Array(3).fill('too-many')])
    expect(outcomes.slice(6)).toEqual(['invalid', 'stored', 'stored', 'stored'])
    expect(await stored()).toHaveLength(6)
    // Those that had to ask twice asked some milliseconds later.
    const taken = (everyMs: number, { fullAt }: { fullAt: number }) =>
      Math.floor((fullAt - visitor().now.getTime()) / everyMs)
    const used = (await db.select().from(allowances)).map((each): [string, number] => [
      each.name,
      taken(each.name === 'rsvp from everywhere' ? 6000 : 60_000, each),
    ])
    expect(Object.fromEntries(used)).toMatchObject({
      'rsvp 203.0.113.7': 3,
      'rsvp 198.51.100.1': 1,
      'rsvp 192.0.2.1': 1,
      'rsvp from everywhere': 7,
    })
  })

  it('count against the allowance also when they do not fit, but not when they were stored before', async () => {
    const small = { atOnce: 3, everyMs: 2000 }
    const known = { ...testRsvp(), idempotencyKey: 'once' }
    const send = (sent: Record<string, unknown>, call = visitor(small)) => outcomesOf([createRsvp(sent, call)])
    const later = { ...visitor(small), now: new Date(visitor().now.getTime() + 1) }
    expect(await send(known)).toEqual(['stored'])
    expect(await send(known)).toEqual(['stored'])
    expect(await send(testRsvp({ email: 'none' }))).toEqual(['invalid'])
    expect(await send(testRsvp({ volunteerRoles: [999_999] }))).toEqual(['invalid'])
    expect(await send(testRsvp(), later)).toEqual(['too-many'])
    expect(await send(known, later)).toEqual(['stored'])
    expect(await stored()).toHaveLength(1)
  })

  it('are marked where all networks together send more than people can', async () => {
    const small = { atOnce: 1, everyMs: 60_000 }
    const sent = Array.from({ length: 12 }, (_, place) => createRsvp(testRsvp(), visitor(small, `192.0.${place}.1`)))
    expect(await outcomesOf(sent)).toEqual(Array(12).fill('stored'))
    expect(marksOf(await stored()).toSorted()).toEqual([...Array(2).fill('flood'), ...Array(10).fill(null)])
    expect(await listFloods(testCall())).toMatchObject([{ kind: 'rsvps' }])
  })

  it('are marked beside those that are refused, which take nothing from the others', async () => {
    const small = { atOnce: 1, everyMs: 60_000 }
    const networks = Array.from({ length: 12 }, (_, place) => `192.0.${Math.max(place, 1)}.1`)
    const sent = networks.map((network) => createRsvp(testRsvp(), visitor(small, network)))
    expect((await outcomesOf(sent)).toSorted()).toEqual([...Array(11).fill('stored'), 'too-many'])
    expect(marksOf(await stored()).toSorted()).toEqual(['flood', ...Array(10).fill(null)])
  })

  it('are one where they have the same key and body, and refused where only the key is the same', async () => {
    const send = (name: string) =>
      createRsvp({ ...testRsvp({ name, ...household }), idempotencyKey: 'same' }, visitor())
    const names = ['Ana Cole', 'Bea Cole', 'Ana Cole']
    const outcomes = await outcomesOf(names.map(send))
    const [{ name: first, familyMembers }, ...others] = await stored()
    expect(outcomes).toEqual(names.map((name) => (name === first ? 'stored' : 'key-reused')))
    expect([familyMembers.length, others]).toEqual([2, []])
  })
})

describe('RSVPs that come together to a file', () => {
  const database = fileDatabase()
  openForTests(database.url)
  afterAll(database.stop)

  it('store those that came first first', async () => {
    const call = visitor(undefined, '198.51.100.7')
    const made = await Promise.all(Array.from({ length: 40 }, () => createRsvp(testRsvp(), call)))
    expect(made).toEqual(made.toSorted((one, other) => one.id - other.id))
  })

  it('mark a flood from the first that is too much', async () => {
    const small = { atOnce: 1, everyMs: 60_000 }
    const calls = Array.from({ length: 32 }, (_, place) => visitor(small, `192.1.${place}.1`))
    await transaction((tx) => tx.batch([tx.delete(rsvps), tx.delete(allowances)]))
    expect(await sendTogether(calls)).toEqual(Array(32).fill('stored'))
    // Newest first: those that came first were none too many.
    expect(marksOf(await stored())).toEqual([...Array(22).fill('flood'), ...Array(10).fill(null)])
    // Those that are marked take nothing, or the flood would outlast itself.
    const rows = await db.select().from(allowances)
    const everywhere = rows.find(({ name }) => name === 'rsvp from everywhere')
    expect(everywhere?.fullAt).toBeLessThanOrEqual(Math.max(...calls.map(({ now }) => now.getTime())) + 60_000)
  })
})

let sent = 0

async function sendTogether(calls: ReturnType<typeof visitor>[]): Promise<string[]> {
  const send = (call: ReturnType<typeof visitor>) =>
    submitRsvp({ ...testRsvp(household), idempotencyKey: `key ${sent++}` }, call)
  const outcomes = await Promise.allSettled(calls.map(send))
  return outcomes.map((each) => (each.status === 'fulfilled' ? 'stored' : each.reason.code))
}
