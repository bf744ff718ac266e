import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { UserError } from '#db/errors.ts'
import { fileDatabase, testCall, testRsvp } from '#db/fixtures.ts'
import { openDatabase } from '#db/open.ts'
import { createRsvp } from '#db/rsvp/submit.ts'
import { closeDatabase, openedDatabase, setConnection } from '#db/storage/client.ts'
import { loadOwnRsvpPage } from './own-rsvp-page.ts'

const database = fileDatabase()
const visitor = testCall({ administrator: false, actor: 'visitor' })
let unreadable = ''

beforeAll(async () => {
  await openDatabase(database.url)
  const opened = openedDatabase()
  setConnection({
    ...opened,
    read: (statement) => {
      if (unreadable !== '' && JSON.stringify(statement).includes(unreadable)) throw new UserError('busy', 'Busy.')
      return opened.read(statement)
    },
  })
})
afterAll(async () => {
  await closeDatabase()
  database.stop()
})

it.each(['features', 'volunteer_roles', 'schedules'])(
  'the form of a private link is not drawn without what is in %s: it would take that from the RSVP',
  async (table) => {
    vi.spyOn(console, 'error').mockReturnValue()
    const sent = { ...testRsvp(), familyMembers: [{ name: 'Joel Cole' }], volunteerRoles: [1], idempotencyKey: table }
    const { linkSecret } = await createRsvp(sent, visitor)
    expect(await loadOwnRsvpPage(visitor, linkSecret)).toMatchObject({
      status: 200,
      choices: { roles: { 0: { id: 1 } } },
    })
    unreadable = table
    const page = await loadOwnRsvpPage(visitor, linkSecret)
    unreadable = ''
    expect(page).toMatchObject({ own: undefined, status: 503, reason: expect.stringMatching(/^The church's computer/) })
  },
)
