import { isNull } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { emptyTables, openForTests, testCall, testRsvp } from '#db/fixtures.ts'
import { makeMailedLinks } from '#db/mail/mailed.ts'
import { hashOfAddress } from '#db/mail/stops.ts'
import { mailQueue, mailStops } from '#db/mail/table.ts'
import { prayers } from '#db/prayer/table.ts'
import { deleteRsvp, restoreRsvp } from '#db/rsvp/delete.ts'
import { changeRsvp } from '#db/rsvp/entry.ts'
import { mergeRsvps } from '#db/rsvp/merge.ts'
import { createRsvp } from '#db/rsvp/submit.ts'
import { rsvps } from '#db/rsvp/table.ts'
import { createThanksMark, findThankedRsvp } from '#db/rsvp/thanks.ts'
import { readKeyedHash } from '#db/secret/keyed-hash.ts'
import { changeSettings } from '#db/settings/operations.ts'
import { standingRsvps } from '#db/standing/table.ts'
import { db, transaction } from '#db/storage/client.ts'
import { getOwnCalendar } from './feed.ts'
import { makeLink } from './links.ts'
import { changeOwnRsvp, getOwnRsvp, withdrawOwnRsvp } from './operations.ts'
import { startOwnCalendar } from './standing.ts'
import { privateLinks } from './table.ts'

let minutes = 0
/** A minute later each time. */
const at = (changes = {}) => testCall({ now: new Date(Date.UTC(2025, 0, 5, 14, ++minutes)), ...changes })
const visitor = () => at({ role: 'visitor', actor: 'visitor' })
const family = {
  phone: 'canary phone',
  message: 'canary message',
  familyMembers: [{ name: 'Canary Child', age: 'child' }],
  volunteerRoles: [1],
}

async function send(changes: Record<string, unknown> = {}) {
  const { id, linkSecret = '' } = await createRsvp(testRsvp(changes), visitor())
  return { id, linkSecret }
}
type Sent = Awaited<ReturnType<typeof send>>
const merge = ({ id }: Sent, changes = {}, call = {}) => mergeRsvps({ id: String(id), ...changes }, at(call))

/** What a link says: the RSVP that it opens, or why it opens none. */
async function opened({ linkSecret = '' }: { linkSecret?: string | undefined }): Promise<string> {
  return getOwnRsvp({ linkSecret }, visitor()).then(JSON.stringify, ({ code, message }) => `${code}: ${message}`)
}
const ended = expect.stringMatching(/^gone: The church has combined this RSVP/)
const whole = expect.stringMatching(/canary phone.*canary message.*Canary Child/)

/** Fails if a link shows or changes anything. */
async function expectEnded(...links: Sent[]): Promise<void> {
  for (const link of links) {
    expect(await opened(link)).toEqual(ended)
    for (const act of [changeOwnRsvp, withdrawOwnRsvp])
      await expect(act({ linkSecret: link.linkSecret, phone: '1' }, visitor())).rejects.toMatchObject({ code: 'gone' })
  }
}

describe('private links after a merge', () => {
  openForTests()
  beforeEach(() => emptyTables(prayers, mailQueue, mailStops, privateLinks, rsvps, standingRsvps))

  it.each([
    { sent: [{}, family], living: [1] },
    { sent: [family, {}], living: [0] },
    { sent: [family, { message: 'I am not Ana' }], living: [] },
    { sent: [{ message: 'I am not Ana' }, family], living: [] },
    { sent: [family, { attending: false }], living: [] },
    { sent: [{}, { ...family, phone: undefined }, { phone: family.phone }], living: [] },
    { sent: [family, {}, family], living: [0, 2] },
    { sent: [{}, {}], living: [0, 1] },
  ] as { sent: object[]; living: number[] }[])('live on if all was in their own: $living', async ({ sent, living }) => {
    for (const standing of [false, true]) {
      await emptyTables(privateLinks, rsvps, standingRsvps)
      const all: Sent[] = []
      for (const changes of sent) all.push(await send({ ...changes, standing }))
      const mailed = await Promise.all(all.map(({ id }) => transaction((tx) => makeLink(tx, { rsvpId: id }, at()))))
      const { linkSecret } = await merge(all.at(-1) as Sent)
      const isFull = sent.includes(family)
      for (const [place, link] of all.entries())
        for (const each of [link, { ...link, linkSecret: mailed[place] ?? '' }])
          if (!living.includes(place)) await expectEnded(each)
          else expect(await opened(each)).toMatch(isFull ? /canary phone.*Canary Child/ : /Ana Cole/)
      expect(linkSecret === undefined).toBe(living.length === sent.length)
      if (linkSecret !== undefined && isFull) expect(await opened({ linkSecret })).toContain('canary')
    }
  })

  it('of a household are replaced by one for all its weeks, of which none is lost', async () => {
    const weeks = async () =>
      (await db.select().from(rsvps).where(isNull(rsvps.deletedAt))).map((row) => row.serviceDate)
    for (const act of [withdrawOwnRsvp, ({ id }: Sent) => deleteRsvp({ id: String(id) }, at())]) {
      await emptyTables(privateLinks, rsvps, standingRsvps)
      const household = await send({ ...family, standing: true })
      const all = await weeks()
      const single = await send({ ...family, serviceDate: all[1], message: 'impostor' })
      const { linkSecret = '' } = await merge(single)
      await expectEnded(household)
      expect((await getOwnRsvp({ linkSecret }, visitor())).rsvp.standing?.weeks.map(({ people }) => people)).toEqual(
        all.map(() => 2),
      )
      expect((await getOwnRsvp({ linkSecret, week: all[1] }, visitor())).rsvp.message).toBe('impostor')
      await act(single, visitor())
      expect(await weeks()).toEqual(all)
    }
    await emptyTables(privateLinks, rsvps, standingRsvps)
    const [single, kept] = [await send(), await send({ standing: true })]
    await merge(kept)
    await changeOwnRsvp({ linkSecret: single.linkSecret, standing: true }, visitor())
    expect((await getOwnRsvp(kept, visitor())).rsvp.standing?.weeks).toHaveLength(8)
    expect(await db.$count(standingRsvps)).toBe(1)
  })

  it('end when the clerk adds what none of them said, and stay ended when that is undone', async () => {
    const [first, kept] = [await send(family), await send(family)]
    const { linkSecret, changedAt } = await merge(kept, { phone: '555 0100' })
    await expectEnded(first, kept)
    const before = { phone: family.phone, changedAt: null, onlyIfRevision: [Date.parse(changedAt ?? '')] }
    await changeRsvp({ id: String(kept.id), ...before }, at())
    await restoreRsvp({ id: String(first.id) }, at())
    expect(await opened(first)).toEqual(whole)
    expect(await opened(kept)).toEqual(ended)
    expect(await opened({ linkSecret })).toEqual(whole)
  })

  it('end one by one when more is merged, also those that lived on before', async () => {
    const [bare, again] = [await send(), await send()]
    await merge(again)
    const full = await send(family)
    await merge(full)
    await expectEnded(bare, again)
    expect(await opened(full)).toEqual(whole)
    // Restored, each opens its own RSVP alone.
    await restoreRsvp({ id: String(again.id) }, at())
    expect(await opened(again)).not.toContain('canary')
  })

  it.each([0, 1])('end when another that opens the same adds what was not in their own RSVP (%s)', async (place) => {
    for (const standing of [false, true]) {
      const all = [await send({ standing }), await send({ standing })] as const
      await merge(all[1])
      const [own, other] = place === 0 ? all : [all[1], all[0]]
      await changeOwnRsvp({ linkSecret: own.linkSecret, remind: true, attending: true }, visitor())
      await emptyTables(mailQueue)
      await changeOwnRsvp({ linkSecret: own.linkSecret, ...family }, at({ ...visitor(), sendsMail: true }))
      expect(await opened(own)).toEqual(whole)
      await expectEnded(other)
      await emptyTables(privateLinks, rsvps, standingRsvps)
    }
  })

  it('end when a household adds that for every week, from another one', async () => {
    const single = await send()
    const kept = await send({ standing: true })
    await merge(kept)
    expect(await opened(single)).toContain('Ana Cole')
    const link = { linkSecret: kept.linkSecret, week: '2025-01-18' }
    await changeOwnRsvp({ ...link, phone: family.phone, everyWeek: true }, visitor())
    expect(await opened(kept)).toContain(family.phone)
    await expectEnded(single)
  })

  it('end with the thank-you, which a retry of the form would show again', async () => {
    const sendWithKey = async (changes: Record<string, unknown>) => {
      const { id } = await createRsvp({ ...testRsvp(changes), idempotencyKey: `key ${++minutes}` }, visitor())
      return { id, mark: await createThanksMark({ id }, at()) }
    }
    const full = await sendWithKey(family)
    const bare = await sendWithKey({})
    const thanks = async ({ mark }: { mark: string }) => (await findThankedRsvp(mark, at()))?.phone
    expect([await thanks(full), await thanks(bare)]).toEqual(['canary phone', null])
    await merge({ ...bare, linkSecret: '' })
    expect([await thanks(full), await thanks(bare)]).toEqual([undefined, undefined])
  })

  it('end with the calendars of a household that comes every week', async () => {
    const impostor = await send({ standing: true })
    await startOwnCalendar(impostor, visitor())
    const own = await getOwnRsvp(impostor, visitor())
    const token = own.rsvp.standing?.calendar?.split('/').at(-1)?.replace('.ics', '') ?? ''
    await getOwnCalendar({ token }, visitor())
    await merge(await send({ ...family, standing: true }))
    await expect(getOwnCalendar({ token }, visitor())).rejects.toMatchObject({ code: 'not-found' })
    await expectEnded(impostor)
  })

  it('are replaced by mail, or by one to hand over where none is sent or it is stopped; by none if the service is over', async () => {
    const sendsMail = { sendsMail: true }
    const twice = async () => {
      await send(family)
      return send({ message: 'impostor' })
    }
    const kept = await twice()
    expect(await merge(kept, {}, sendsMail)).toMatchObject({ linkMailed: true, linkSecret: undefined })
    expect(await db.select().from(mailQueue)).toMatchObject([{ kind: 'link', address: 'ana@cole.example' }])
    const [mailed] = await makeMailedLinks([{ address: 'ana@cole.example', rsvpId: null }], at())
    expect(await opened({ linkSecret: mailed?.secret })).toContain('impostor')
    const addressHash = hashOfAddress('ana@cole.example', await readKeyedHash())
    await transaction((tx) => tx.insert(mailStops).values({ addressHash, createdAt: '' }))
    await emptyTables(rsvps)
    expect(await merge(await twice(), {}, sendsMail)).toMatchObject({ linkSecret: expect.any(String) })
    await emptyTables(rsvps)
    const over = testCall({ now: new Date('2025-01-12T14:00:00Z') })
    const { linkSecret, linkMailed } = await mergeRsvps({ id: String((await twice()).id) }, over)
    expect([linkSecret, linkMailed]).toEqual([undefined, false])
  })
})

describe('a prayer request', () => {
  openForTests()
  const prayer = { prayer: 'canary prayer', prayerAudience: 'pastor' }
  const clerk = 'clerk@roe.example'
  beforeEach(async () => {
    await emptyTables(prayers, privateLinks, rsvps, standingRsvps)
    await changeSettings({ prayers: true }, at())
  })
  const stored = async () => (await db.select().from(prayers)).map(({ text }) => text)

  /** Fails if a link shows the prayer request, or changes it. */
  async function expectHidden(linkSecret = ''): Promise<void> {
    const { rsvp } = await getOwnRsvp({ linkSecret }, visitor())
    expect([JSON.stringify(rsvp).includes('canary'), Object.hasOwn(rsvp, 'prayer')]).toEqual([false, false])
    await changeOwnRsvp({ linkSecret, prayer: 'other', phone: String(minutes) }, visitor())
    expect(await stored()).toEqual(['canary prayer'])
  }

  it.each([false, true])(
    'is hidden by links made since an administrator changed the address (%s)',
    async (standing) => {
      const sent = await send({ ...prayer, standing })
      const mailedBefore = await transaction((tx) => makeLink(tx, { rsvpId: sent.id }, at()))
      await changeRsvp({ id: String(sent.id), email: clerk }, at())
      const linkSecret = await transaction((tx) => makeLink(tx, { rsvpId: sent.id }, at()))
      await expectHidden(linkSecret)
      for (const { secret } of await makeMailedLinks([{ address: clerk, rsvpId: null }], at()))
        await expectHidden(secret)
      // Nor by a further link, to an address that was given by one that hides it.
      await changeOwnRsvp({ linkSecret, email: 'second@roe.example', everyWeek: standing }, visitor())
      for (const { secret } of await makeMailedLinks([{ address: 'second@roe.example', rsvpId: null }], at()))
        await expectHidden(secret)
      for (const secret of [sent.linkSecret, mailedBefore])
        expect(await opened({ linkSecret: secret })).toContain('canary')
    },
  )

  it.each([false, true])('is hidden by the link that a clerk hands over after a merge (%s)', async (standing) => {
    const first = await send({ phone: '1', standing })
    const { linkSecret } = await merge(await send({ ...prayer, standing }))
    await expectEnded(first)
    await expectHidden(linkSecret)
    await changeOwnRsvp({ linkSecret, email: clerk, standing: true, everyWeek: standing || undefined }, visitor())
    const mailed = await makeMailedLinks([{ address: clerk, rsvpId: null }], at())
    expect(mailed).toHaveLength(1)
    for (const { secret } of mailed) await expectHidden(secret)
  })

  it('is hidden by the link of a household that an RSVP of another address was merged into', async () => {
    await send({ email: clerk, standing: true })
    const sent = await send({ ...prayer, serviceDate: '2025-01-18' })
    await changeRsvp({ id: String(sent.id), email: clerk }, at())
    await merge(sent, {}, { sendsMail: true })
    for (const { secret } of await makeMailedLinks([{ address: clerk, rsvpId: null }], at()))
      for (const week of ['2025-01-11', '2025-01-18', undefined])
        expect(JSON.stringify(await getOwnRsvp({ linkSecret: secret, week }, visitor()).catch(String))).not.toContain(
          'canary',
        )
  })

  it('ends the links of RSVPs that did not have it', async () => {
    const first = await send()
    const kept = await send(prayer)
    await merge(kept)
    await expectEnded(first)
    expect(await opened(kept)).toContain('canary')
  })
})
