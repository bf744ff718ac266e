import { beforeAll, describe, expect, it, vi } from 'vitest'
import { changeEvent } from '#db/event.ts'
import { changeSchedule } from '#db/rsvp/change-schedule.ts'
import { eraseRsvps } from '#db/rsvp/delete.ts'
import { createRsvp } from '#db/rsvp/submit.ts'
import { changeSettings } from '#db/settings.ts'
import { openedDatabase, setConnection } from '#db/storage/client.ts'
import { UserError } from '#db/values/errors.ts'
import type { CurrentSchedule } from '#db/values/schedule.ts'
import { testSchedule } from '#db/values/schedule-fixtures.ts'
import { offeredServices } from '#db/values/services.ts'
import { dayText } from '#site/texts/dates.ts'
import { openForTests, testCall, testEvent, testRsvp } from '#testing/database-fixtures.ts'
import { inLanguage } from './language.ts'
import { loadOwnRsvpPage, loadRsvpPage, shownServices } from './rsvp-page.ts'

const SATURDAY = { date: '2026-11-21', label: 'Saturday, November 21' }
const event = { date: 'Every Sabbath', time: '10:00 AM' }

/** What is shown at a moment, with services on Saturdays at 10:00 in Chicago, which is six hours behind UTC. */
function shownAt(moment: string, changes: Partial<CurrentSchedule> = {}, texts = event) {
  const rules = testSchedule(changes)
  const now = new Date(moment)
  return shownServices(
    { confirmed: true, lastService: '2026-11-14', ...rules, services: offeredServices(rules, now) },
    texts,
    now,
  )
}

describe('shownServices', () => {
  it('offers the next eight and lists the first', () => {
    const { offered, listed, note } = shownAt('2026-11-18T12:00:00Z')
    expect(offered).toHaveLength(8)
    expect([offered[0], listed, note]).toEqual([SATURDAY, SATURDAY, undefined])
  })

  it('offers the next service once the current one ends, and not before', () => {
    expect(shownAt('2026-11-21T17:59:59.999Z').offered[0]).toEqual(SATURDAY)
    const { offered, listed, note } = shownAt('2026-11-21T18:00:00.000Z')
    expect([offered[0]?.date, listed?.date, note]).toEqual(['2026-11-28', '2026-11-28', undefined])
  })

  it.each([
    [{ skippedDates: ['2026-11-21'] }, 'No service on Saturday, November 21. The next is on Saturday, November 28.'],
    [
      { skippedDates: ['2026-11-21', '2026-11-28'] },
      'No service on Saturday, November 21 and Saturday, November 28. The next is on Saturday, December 5.',
    ],
    // Between the offered ones, after them, and on which there would be no service anyway.
    [
      { skippedDates: ['2026-11-22', '2026-11-28', '2026-12-26', '2027-06-05'] },
      'No service on Saturday, November 28 and Saturday, December 26.',
    ],
    [
      { closesMinutesBefore: 24 * 60, skippedDates: ['2026-11-28'] },
      'Responses for Saturday, November 21 are closed. No service on Saturday, November 28. The next is on Saturday, December 5.',
    ],
  ])('says which are skipped, and why the first is later than usual: %j', (changes, note) => {
    expect(shownAt('2026-11-20T20:00:00Z', changes).note).toBe(note)
  })

  it('lists a service until it is over, also when its RSVPs are closed', () => {
    const { offered, listed } = shownAt('2026-11-20T20:00:00Z', { closesMinutesBefore: 24 * 60 })
    expect([offered[0]?.date, listed]).toEqual(['2026-11-28', SATURDAY])
  })

  it('lists all services while the schedule is not confirmed, and offers days until the event has texts of its own', () => {
    const moment = '2026-11-18T12:00:00Z'
    const byDefault = shownAt(moment, { confirmed: false })
    expect([byDefault.offered[0], byDefault.listed]).toEqual([SATURDAY, undefined])
    const sundays = { date: 'Every Sunday', time: '10:00 AM' }
    expect(shownAt(moment, { confirmed: false }, sundays)).toEqual({ offered: [] })
    expect(shownAt(moment, { confirmed: true }, sundays).offered[0]).toEqual(SATURDAY)
  })
})

const visitor = testCall({ role: 'visitor', actor: 'visitor' })
let unreadable = ''

openForTests()
beforeAll(async () => {
  for (let number = 0; number < 20; number += 1) await createRsvp(testRsvp(), testCall())
  const opened = openedDatabase()
  setConnection({
    ...opened,
    read: (statement) => {
      if (unreadable !== '' && JSON.stringify(statement).includes(unreadable)) throw new UserError('busy', 'Busy.')
      return opened.read(statement)
    },
  })
})

describe('a page with a form', () => {
  it.each(['features', 'volunteer_roles', 'schedules'])(
    'of a private link is not drawn without what is in %s, which it would remove from the RSVP',
    async (table) => {
      vi.spyOn(console, 'error').mockReturnValue()
      const sent = { ...testRsvp(), familyMembers: [{ name: 'Joel Cole' }], volunteerRoles: [1], idempotencyKey: table }
      const { linkSecret } = await createRsvp(sent, visitor)
      expect(await loadOwnRsvpPage(visitor, { linkSecret })).toMatchObject({
        status: 200,
        choices: { roles: { 0: { id: 1 } } },
      })
      unreadable = table
      const page = await loadOwnRsvpPage(visitor, { linkSecret })
      unreadable = ''
      expect(page).toMatchObject({
        own: undefined,
        status: 503,
        reason: expect.stringMatching(/^The church's computer/),
      })
    },
  )

  it('offers no calendar while the schedule is not confirmed and the event has texts of its own', async () => {
    const { linkSecret } = await createRsvp({ ...testRsvp(), idempotencyKey: 'guess' }, visitor)
    const offered = async () => [
      (await loadRsvpPage(visitor, { shared: true })).features?.calendarIntegration,
      (await loadOwnRsvpPage(visitor, { linkSecret })).choices?.features.calendarIntegration,
    ]
    expect(await offered()).toEqual([true, true])
    await changeEvent(testEvent({ date: 'Every Sunday' }), testCall())
    expect(await offered()).toEqual([false, false])
    await changeEvent(testEvent(), testCall())
  })

  it('lists and counts once a household that comes every week while the schedule is not confirmed', async () => {
    const household = { email: 'weekly@cole.example', standing: true }
    const { id } = await createRsvp(testRsvp({ ...household, name: 'Every Week' }), visitor)
    for (const shared of [true, false]) {
      const { responses } = await loadRsvpPage(visitor, { shared })
      expect(responses?.filter(({ name }) => name.startsWith('Every')).map((rsvp) => rsvp.id)).toEqual([id])
    }
    await changeSettings({ publicNames: 'counts' }, testCall())
    const before = (await loadRsvpPage(visitor, { shared: true })).counts?.attending
    await createRsvp(testRsvp({ ...household, name: 'Every Sunday' }), visitor)
    expect((await loadRsvpPage(visitor, { shared: true })).counts?.attending).toBe((before ?? 0) + 1)
    await changeSettings({ publicNames: 'full' }, testCall())
    await eraseRsvps(household, testCall())
  })

  it('shows the number of people on the first page only, and not while the setting for names cannot be read', async () => {
    vi.spyOn(console, 'error').mockReturnValue()
    await changeSchedule(testSchedule(), testCall())
    const families = ['Joel', 'Mia', 'Noah', 'Lea'].map((name) => ({ name, attending: true }))
    await createRsvp({ ...testRsvp(), familyMembers: families, idempotencyKey: 'family' }, visitor)
    const { coming, responses } = await loadRsvpPage(visitor, { shared: true })
    expect([coming?.people, coming?.initials, responses?.length]).toEqual([5, ['AC'], 5])
    expect(await loadRsvpPage(visitor, { shared: false, before: '999' })).toMatchObject({ coming: undefined })
    unreadable = 'public_names'
    const page = await loadRsvpPage(visitor, { shared: true })
    unreadable = ''
    expect(page).toMatchObject({ coming: undefined, responses: null, status: 503 })
  })

  it('of a private link says which services are skipped', async () => {
    const [first = '', second = '', third = ''] = offeredServices(testSchedule(), visitor.now).map(({ date }) => date)
    await changeSchedule(testSchedule(), testCall())
    const rsvp = { ...testRsvp({ serviceDate: third }), idempotencyKey: 'skipped' }
    const { linkSecret } = await createRsvp(rsvp, visitor)
    const note = async () => (await loadOwnRsvpPage(visitor, { linkSecret })).note
    expect(await note()).toBeUndefined()
    await changeSchedule({ skippedDates: [first, third] }, testCall())
    expect(await note()).toBe(
      `No service on ${dayText(first)} and ${dayText(third)}. The next is on ${dayText(second)}.`,
    )
  })

  it('knows which texts of the event only repeat the schedule', async () => {
    const said = async () => (await loadRsvpPage(visitor, { shared: true })).hours?.said
    await changeSchedule(testSchedule(), testCall())
    expect(await said()).toEqual(expect.arrayContaining(['Every Saturday', 'Every Sabbath', '10:00 AM']))
    await changeSchedule({ weekday: 0 }, testCall())
    expect(await inLanguage('de', said)).toEqual(['10:00', '10:00 AM', 'Jeden Sonntag', 'Every Sunday'])
  })
})
