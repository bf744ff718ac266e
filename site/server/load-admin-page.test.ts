import { beforeAll, describe, expect, it } from 'vitest'
import type { Call } from '#db/call.ts'
import { changeSchedule } from '#db/rsvp/change-schedule.ts'
import { skipService } from '#db/rsvp/skip-fixtures.ts'
import { createRsvp } from '#db/rsvp/submit.ts'
import { addAdministrator, callOf, openForTests, testCall, testRsvp } from '#testing/database-fixtures.ts'
import { loadAdminPage } from './load-admin-page.ts'

const now = new Date('2026-11-18T12:00:00.000Z')
const contacts = /@cole\.example|555-0117|Pray for us/

describe('loadAdminPage', () => {
  openForTests()
  beforeAll(async () => {
    const owner = testCall({ now })
    await addAdministrator()
    await changeSchedule({ timeZone: 'UTC' }, owner)
    const sent = { phone: '555-0117', message: 'Pray for us', volunteerRoles: [1] }
    await createRsvp(testRsvp(sent), owner)
    await createRsvp(testRsvp({ ...sent, serviceDate: '2026-11-28' }), owner)
    await skipService({ date: '2026-11-28' }, owner)
  })

  const load = (changes: Partial<Call>, address = '') =>
    loadAdminPage(callOf(1, { now, ...changes }), new URLSearchParams(address))
  const reader = (seesContacts: boolean) => callOf(1, { now, role: 'reader' }, { seesContacts })

  it.each(['', 'week=2026-11-28', 'week=all', 'q=ana&status=attending'])(
    'sends a reader the numbers and the names of those who serve, and nothing to contact them by: %s',
    async (address) => {
      const { status, page, overview, toCall, ...rest } = { toCall: undefined, ...(await load(reader(false), address)) }
      expect(status).toBe(200)
      expect(page).toBeUndefined()
      expect(overview?.headcount.counted.attending).toBeGreaterThan(0)
      const all = JSON.stringify({ overview, toCall, ...rest, administrator: undefined, account: undefined })
      expect(all).not.toMatch(contacts)
      expect(JSON.stringify(await load({ role: 'clerk' }, address))).toMatch(contacts)
    },
  )

  it('sends a reader who sees contact data whom to call', async () => {
    const { overview, page } = await load(reader(true), 'week=2026-11-28')
    expect(overview?.toCall).toMatchObject([{ email: 'ana@cole.example', phone: '555-0117' }])
    expect(page).toBeUndefined()
  })

  const ofClerks = 'features event schedule roles church event-languages'
  const ofPeople = 'names prayers keeping erasing'
  const openMode = { actor: 'open mode', administrator: undefined } as const
  const all = 'responses settings share'
  it.each<[string, Partial<Call>, string, string]>([
    [
      'an owner of a site that sends mail',
      { sendsMail: true },
      all,
      `${ofClerks} ${ofPeople} account address administrators mail backups audit`,
    ],
    ['a clerk', { role: 'clerk' }, all, `${ofClerks} account`],
    ['a reader', reader(false), 'responses settings', 'account'],
    ['everyone in open mode', openMode, all, `${ofClerks} ${ofPeople} address administrators backups audit`],
  ])('offers %s the tabs and sections of the calls that the role may make', async (_, caller, tabs, sections) => {
    const shown = await load(caller)
    expect(shown.tabs.join(' ')).toBe(tabs)
    expect(shown.sections.join(' ')).toBe(sections)
    expect(JSON.stringify(shown)).not.toContain('provenAt')
  })
})
