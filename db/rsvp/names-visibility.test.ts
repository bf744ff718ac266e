import { beforeEach, expect, it } from 'vitest'
import { describeOnBothDatabases, testCall, testRsvp } from '#db/fixtures.ts'
import { listRsvps, pagesFrom } from '#db/rsvp/list.ts'
import { createRsvp } from '#db/rsvp/submit.ts'
import { rsvps } from '#db/rsvp/table.ts'
import { changeSettings } from '#db/settings/operations.ts'
import type { PublicNames } from '#db/settings/schema.ts'
import { transaction } from '#db/storage/client.ts'
import { deleteRsvp } from './delete.ts'

const call = testCall()
const visitor = testCall({ administrator: false, actor: 'visitor' })
const createdAt = '2025-01-05T14:00:00.000Z'

const everything = {
  phone: 'canary',
  message: 'canary',
  addToCalendar: true,
  calendarType: 'ical',
  familyMembers: [{ name: 'Canary Child', age: 'child' }],
  volunteerRoles: [1],
  website: 'canary',
}

async function make(changes: Record<string, unknown> = {}): Promise<number> {
  return (await createRsvp(testRsvp(changes), call)).id
}

async function shown(input: unknown = {}, reader = visitor): Promise<Record<string, unknown>[]> {
  return JSON.parse(String((await listRsvps(input, reader)).json))
}

describeOnBothDatabases('the list that visitors see', () => {
  beforeEach(async () => {
    await transaction((tx) => tx.delete(rsvps))
    await changeSettings({ publicNames: 'initial' }, call)
  })

  it.each<[PublicNames, string]>([
    ['initial', 'Ana C.'],
    ['full', 'Ana Cole'],
  ])('holds with %s names no more than four fields, with name %j', async (names, name) => {
    await changeSettings({ publicNames: names }, call)
    const id = await make(everything)
    const other = await make({ name: 'Joel', attending: false })
    expect(await shown()).toEqual([
      { id: other, name: names === 'full' ? 'Joel' : 'J.', attending: false, createdAt },
      { id, name, attending: true, createdAt },
    ])
    expect(String((await listRsvps({}, visitor)).json)).not.toMatch(/canary|cole\.example/i)
  })

  it.each<PublicNames>(['counts', 'none'])('is refused where they see %s, whatever they ask for', async (names) => {
    await changeSettings({ publicNames: names }, call)
    await make()
    for (const input of [{}, { limit: 1 }, { deleted: 'true' }, { email: 'ana@cole.example' }, { before: '9' }]) {
      await expect(listRsvps(input, visitor)).rejects.toMatchObject({
        code: 'unauthenticated',
        message: 'Only the administrator sees the list of responses. Sign in at /admin.',
      })
    }
  })

  it.each<PublicNames>(['full', 'initial', 'counts', 'none'])(
    'is whole for the administrator, and with full names in open mode, where it is %s',
    async (names) => {
      await changeSettings({ publicNames: names }, call)
      const id = await make(everything)
      expect(await shown({}, call)).toMatchObject([{ id, name: 'Ana Cole', email: 'ana@cole.example' }])
      expect(await shown({}, { ...visitor, actor: 'open mode' })).toEqual([
        { id, name: 'Ana Cole', attending: true, createdAt },
      ])
    },
  )

  it('holds nothing deleted, and can be asked neither for that nor for an address', async () => {
    const [kept, gone] = [await make(), await make({ email: 'joel@cole.example' })]
    await deleteRsvp({ id: String(gone) }, call)
    const list = [{ id: kept, name: 'Ana C.', attending: true, createdAt }]
    for (const filter of [
      {},
      { deleted: 'true' },
      { deleted: 'nonsense' },
      { email: 'joel@cole.example' },
      { email: 'unknown@cole.example' },
      { email: 'ana@cole.example', deleted: 'true' },
      { email: '' },
    ]) {
      expect(await shown(filter)).toEqual(list)
      expect(await shown(filter, { ...visitor, actor: 'open mode' })).toMatchObject([{ id: kept }])
    }
  })

  it('can be filtered by status and moment, and read in pages', async () => {
    const ids = [await make(), await make({ attending: false }), await make(), await make({ attending: false })]
    const idsOf = async (input: unknown) => (await shown(input)).map(({ id }) => id)
    expect(await idsOf({ status: 'not-attending' })).toEqual([ids[3], ids[1]])
    expect(await idsOf({ since: '2025-01-05T14:00:00.001Z' })).toEqual([])
    expect(await idsOf({ before: String(ids[2]) })).toEqual([ids[1], ids[0]])
    const pages: unknown[] = []
    for await (const { json } of pagesFrom(await listRsvps({ limit: 3 }, visitor), visitor)) {
      pages.push(JSON.parse(String(json)).map(({ id }: { id: number }) => id))
    }
    expect(pages).toEqual([[ids[3], ids[2], ids[1]], [ids[0]]])
    await expect(listRsvps({ status: 'all' }, visitor)).rejects.toMatchObject({ code: 'invalid' })
  })
})

describeOnBothDatabases('the short name', () => {
  beforeEach(async () => {
    await transaction((tx) => tx.delete(rsvps))
  })

  it.each([
    ['Ana\tMaria\u3000Cole', 'Ana C.'],
    ['김민수', '김.'],
    ['محمد علي', 'م. ع.'],
    ['Ana 😀ole', 'A. O.'],
    ['Ana E\u0301toile', 'Ana É.'],
    ["Ana '); DROP TABLE rsvps;--", 'A. R.'],
  ])('of %j is stored and comes back as %j, beside the name to the letter', async (name, short) => {
    await make({ name })
    expect(await shown()).toMatchObject([{ name: short }])
    expect(await shown({}, call)).toMatchObject([{ name }])
  })

  it.each([
    ['Ana Cole', 'A.'],
    ['김민수', '김.'],
    ['😀 Cole', '😀.'],
  ])('of %j, of which an older rule has shown more, is %j', async (name, short) => {
    await make({ name })
    await transaction((tx) => tx.update(rsvps).set({ publicName: name, publicNameRule: 0 }))
    expect(await shown()).toMatchObject([{ name: short }])
  })
})
