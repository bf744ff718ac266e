import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { getCalendarSeries } from '#db/calendar/series.ts'
import { readKeyedHash } from '#db/keyed-hash.ts'
import { hashOfAddress } from '#db/mail/stops.ts'
import { changeSettings } from '#db/settings.ts'
import { db, transaction } from '#db/storage/client.ts'
import { mailQueue, mailStops } from '#db/tables/mail.ts'
import { prayers, privateLinks, rsvps, standingRsvps } from '#db/tables/rsvp.ts'
import { emptyTables, openForTests, testCall, testRsvp } from '#testing/database-fixtures.ts'
import { getStatistics } from './counts.ts'
import { restoreRsvps } from './delete.ts'
import { changeRsvp } from './entry.ts'
import { makeMailedLinks } from './mail-content.ts'
import { mergeRsvps } from './merge.ts'
import { changeOwnRsvp, getOwnRsvp, withdrawOwnRsvp } from './own-rsvp.ts'
import { getOwnCalendar, startOwnCalendar } from './own-standing.ts'
import { listPrayers } from './prayers.ts'
import { makeLink } from './private-links.ts'
import { oneOf } from './read.ts'
import { createRsvp } from './submit.ts'
import { createThanksMark, findThankedRsvp } from './thanks.ts'

let minutes = 0
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
const ended = expect.stringMatching(
  /^(gone: The church has deleted this RSVP, or combined|not-found: This link does not work)/,
)
const whole = expect.stringMatching(/canary phone.*canary message.*Canary Child/)

/** Fails if a link shows or changes anything. */
async function expectEnded(...links: Sent[]): Promise<void> {
  for (const link of links) {
    expect(await opened(link)).toEqual(ended)
    for (const act of [changeOwnRsvp, withdrawOwnRsvp])
      await expect(act({ linkSecret: link.linkSecret, phone: '1' }, visitor())).rejects.toMatchObject({
        code: expect.stringMatching(/^(gone|not-found)$/),
      })
  }
}

describe('private links after a merge', () => {
  openForTests()
  beforeEach(() => emptyTables(prayers, mailQueue, mailStops, privateLinks, rsvps, standingRsvps))

  it.each([
    { sent: [{}, family], lives: true },
    { sent: [family, {}, family], lives: true },
    { sent: [{}, {}], lives: true },
    { sent: [family, {}], lives: false },
    { sent: [family, { message: 'I am not Ana' }], lives: false },
    { sent: [{ message: 'I am not Ana' }, family], lives: false },
    { sent: [family, { attending: false }], lives: false },
    { sent: [{}, { ...family, phone: undefined }, { phone: family.phone }], lives: false },
  ] as { sent: object[]; lives: boolean }[])(
    'live on if nothing was added to the newest: $lives, %j',
    async (given) => {
      // A No is for one week.
      const isEveryWeek = given.sent.every((changes) => !('attending' in changes))
      for (const standing of isEveryWeek ? [false, true] : [false]) {
        await emptyTables(privateLinks, rsvps, standingRsvps)
        const all: Sent[] = []
        for (const changes of given.sent) all.push(await send({ ...changes, standing }))
        const mailed = await Promise.all(all.map(({ id }) => transaction((tx) => makeLink(tx, { rsvpId: id }, at()))))
        const { linkSecret } = await merge(all.at(-1) as Sent)
        const says = given.sent.includes(family) ? /canary phone.*Canary Child/ : /Ana Cole/
        for (const [place, link] of all.entries())
          for (const each of [link, { ...link, linkSecret: mailed[place] ?? '' }])
            if (given.lives && place === all.length - 1) expect(await opened(each)).toMatch(says)
            else await expectEnded(each)
        expect(linkSecret === undefined).toBe(given.lives)
        if (linkSecret !== undefined) expect(await opened({ linkSecret })).toMatch(/canary phone|Canary Child/)
      }
    },
  )

  it('of a household live on beside an RSVP for one week', async () => {
    const household = await send({ ...family, standing: true })
    const single = await send({ serviceDate: '2025-01-18', message: 'impostor' })
    const { linkSecret = '' } = await merge(single)
    await expectEnded(single)
    expect(await opened({ linkSecret })).toMatch(/impostor.*Canary Child/)
    expect(await opened(household)).not.toContain('impostor')
    const { standing } = await getOwnRsvp(household, visitor())
    const own = { people: 2, decidedBy: 'link' }
    expect(standing?.weeks).toMatchObject([own, { decidedBy: 'another RSVP' }, ...Array(6).fill(own)])
    // A household that says the same again has the last word, and needs no other link.
    const serviceDate = '2025-01-25'
    await send({ serviceDate })
    await changeOwnRsvp({ ...household, week: serviceDate, phone: family.phone }, visitor())
    const isNewest = and(isNotNull(rsvps.standingId), eq(rsvps.serviceDate, serviceDate))
    const [kept] = await db.select().from(rsvps).where(isNewest)
    expect(await mergeRsvps({ id: String(kept?.id) }, at())).toMatchObject({ linkSecret: undefined })
  })

  it.each([
    { sent: [family, { message: 'impostor' }], people: 1 },
    { sent: [{ message: 'impostor' }, family], people: 2 },
  ])('of several households are those of the newest, which counts once in each week: %o', async (given) => {
    const all: Sent[] = []
    for (const changes of given.sent) all.push(await send({ ...changes, standing: true }))
    const { linkSecret, merged } = await merge(all.at(-1) as Sent)
    const { weeks = [] } = (await getOwnRsvp({ linkSecret }, visitor())).standing ?? {}
    expect(weeks).toHaveLength(8)
    for (const [place, { date }] of weeks.entries()) {
      const people = place === 0 ? 2 : given.people
      expect((await getStatistics({ week: date })).people.expected).toBe(people)
    }
    expect(await db.$count(rsvps, isNull(rsvps.deletedAt))).toBe(8)
    for (const id of merged) await restoreRsvps({ ids: [id] }, at())
    expect(await db.$count(standingRsvps, isNull(standingRsvps.endedAt))).toBe(1)
    expect(await db.$count(rsvps, and(oneOf(merged), isNull(rsvps.deletedAt)))).toBe(merged.length)
  })

  it('end when the clerk adds what none of them said, and stay ended when that is undone', async () => {
    const [first, kept] = [await send(family), await send(family)]
    const { linkSecret, changedAt } = await merge(kept, { phone: '555 0100' })
    await expectEnded(first, kept)
    const before = { phone: family.phone, changedAt: null, onlyIfRevision: [Date.parse(changedAt ?? '')] }
    await changeRsvp({ id: String(kept.id), ...before }, at())
    await restoreRsvps({ ids: [first.id] }, at())
    expect(await opened(first)).toEqual(whole)
    expect(await opened(kept)).toEqual(ended)
    expect(await opened({ linkSecret })).toEqual(whole)
  })

  it('end with the thank-you, which a retry of the form would show again', async () => {
    const all = [await send({ ...family, idempotencyKey: 'full' }), await send({ idempotencyKey: 'bare' })]
    const marks = await Promise.all(all.map(({ id }) => createThanksMark({ id }, at())))
    const phones = () => Promise.all(marks.map(async (mark) => (await findThankedRsvp(mark, at()))?.phone))
    expect(await phones()).toEqual(['canary phone', null])
    await merge(all[1] as Sent)
    expect(await phones()).toEqual([undefined, undefined])
  })

  it('end with the calendars of a household that comes every week', async () => {
    const impostor = await send({ standing: true })
    await startOwnCalendar(impostor, visitor())
    const own = await getOwnRsvp(impostor, visitor())
    const token = own.standing?.calendar?.split('/').at(-1)?.replace('.ics', '') ?? ''
    await getOwnCalendar({ token }, visitor(), () => getCalendarSeries({}, visitor()))
    await merge(await send({ ...family, standing: true }))
    await expect(getOwnCalendar({ token }, visitor(), () => getCalendarSeries({}, visitor()))).rejects.toMatchObject({
      code: 'not-found',
    })
  })

  it('are replaced by mail, or by one to hand over where none is sent or it is stopped; by none if the service is over', async () => {
    const sendsMail = { sendsMail: true }
    const twice = async (standing = false) => {
      await send({ ...family, standing })
      return send({ message: 'impostor', standing })
    }
    const kept = await twice()
    expect(await merge(kept, {}, sendsMail)).toMatchObject({ linkMailed: true, linkSecret: undefined })
    expect(await db.select().from(mailQueue)).toMatchObject([{ kind: 'link', address: 'ana@cole.example' }])
    const [mailed] = await makeMailedLinks('ana@cole.example', at())
    expect(await opened({ linkSecret: mailed?.secret })).toContain('impostor')
    const addressHash = hashOfAddress('ana@cole.example', await readKeyedHash())
    await transaction((tx) => tx.insert(mailStops).values({ addressHash, createdAt: '' }))
    await emptyTables(rsvps)
    expect(await merge(await twice(), {}, sendsMail)).toMatchObject({ linkSecret: expect.any(String) })
    await emptyTables(rsvps)
    const over = testCall({ now: new Date('2025-01-12T14:00:00Z') })
    const { linkSecret, linkMailed } = await mergeRsvps({ id: String((await twice()).id) }, over)
    expect([linkSecret, linkMailed]).toEqual([undefined, false])
    // The link of a household opens its later weeks.
    await emptyTables(rsvps)
    const household = String((await twice(true)).id)
    expect(await mergeRsvps({ id: household }, over)).toMatchObject({ linkSecret: expect.any(String) })
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
    const rsvp = await getOwnRsvp({ linkSecret }, visitor())
    expect([JSON.stringify(rsvp).includes('canary'), Object.hasOwn(rsvp, 'prayer')]).toEqual([false, false])
    await changeOwnRsvp({ linkSecret, prayer: 'other', phone: String(minutes) }, visitor())
    expect(new Set(await stored())).toEqual(new Set(['canary prayer']))
  }

  it.each([false, true])(
    'is hidden by links made since an administrator changed the address (%s)',
    async (standing) => {
      const sent = await send({ ...prayer, standing })
      const mailedBefore = await transaction((tx) => makeLink(tx, { rsvpId: sent.id }, at()))
      await changeRsvp({ id: String(sent.id), email: clerk }, at())
      const linkSecret = await transaction((tx) => makeLink(tx, { rsvpId: sent.id }, at()))
      await expectHidden(linkSecret)
      for (const { secret } of await makeMailedLinks(clerk, at())) await expectHidden(secret)
      // Nor by a further link, to an address that was given by one that hides it.
      await changeOwnRsvp({ linkSecret, email: 'second@roe.example', everyWeek: standing }, visitor())
      for (const { secret } of await makeMailedLinks('second@roe.example', at())) await expectHidden(secret)
      for (const secret of [sent.linkSecret, mailedBefore])
        expect(await opened({ linkSecret: secret })).toContain('canary')
    },
  )

  it.each([false, true])('is hidden by the link that a clerk hands over after a merge (%s)', async (standing) => {
    await send({ phone: '1', standing })
    const { linkSecret } = await merge(await send({ ...prayer, standing }))
    await expectHidden(linkSecret)
    await changeOwnRsvp({ linkSecret, email: clerk, standing: true, everyWeek: standing || undefined }, visitor())
    const mailed = await makeMailedLinks(clerk, at())
    expect(mailed).toHaveLength(1)
    for (const { secret } of mailed) await expectHidden(secret)
  })

  it.each([0, 1])('is hidden by links made after a merge with one of another address: %i', async (kept) => {
    const sent = await send(prayer)
    const other = await send({ email: clerk })
    await changeRsvp({ id: String(sent.id), email: clerk }, at())
    if (kept === 1) await changeRsvp({ id: String(other.id), phone: '1' }, at())
    await merge([sent, other][kept] as Sent, {}, { sendsMail: true })
    const mailed = await makeMailedLinks(clerk, at())
    expect(mailed).toHaveLength(1)
    for (const { secret } of mailed) await expectHidden(secret)
  })

  it('stays with the RSVP that it came with, and is shown by no other link', async () => {
    const [first, kept] = [await send(prayer), await send()]
    await merge(kept)
    const shown = async () => (await listPrayers(at())).map(({ text }) => text)
    expect(await shown()).toEqual(['canary prayer'])
    await expectEnded(first)
    expect(await opened(kept)).not.toContain('canary')
    await merge(await send({ prayer: 'a third' }))
    expect(await shown()).toEqual(expect.arrayContaining(['a third', 'canary prayer']))
  })
})
