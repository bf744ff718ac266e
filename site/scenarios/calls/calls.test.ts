import { expect, it } from 'vitest'
import { testEvent, testRsvp } from '#db/fixtures.ts'
import { ask, describeSiteOnBothDatabases, expectProblem, READING_CALLS, type Site } from '#site/scenarios/fixtures.ts'

describeSiteOnBothDatabases('every call', (site) => {
  it('stores the event once as a default, then as it is edited', async () => {
    expect(await jsonOf(site(), 'GET /api/event')).toBeNull()
    const first = { json: testEvent(), headers: { 'if-none-match': '*' } }
    expect((await ask(site(), 'POST /api/event', first)).status).toBe(200)
    expectProblem(await ask(site(), 'POST /api/event', first), 412)

    const { eventTitle: _, ...texts } = testEvent({ title: 'Vespers', location: '' })
    const stored = { ...testEvent({ title: 'Vespers' }), eventTitle: 'Weekly Service' }
    expect(JSON.parse((await ask(site(), 'POST /api/event', { json: texts })).body)).toEqual(stored)
    expect(await jsonOf(site(), 'GET /api/event')).toEqual(stored)
  })

  it('switches features', async () => {
    const on = { calendarIntegration: true, familyRsvp: true, volunteerSignup: true }
    expect(await jsonOf(site(), 'GET /api/features')).toEqual(on)
    const changed = await ask(site(), 'PATCH /api/features', { json: { familyRsvp: false } })
    expect(changed).toMatchObject({ status: 200, headers: { 'content-type': 'application/json' } })
    expect(JSON.parse(changed.body)).toEqual({ ...on, familyRsvp: false })
    expect(await jsonOf(site(), 'GET /api/features')).toEqual({ ...on, familyRsvp: false })
    expect((await ask(site(), 'PATCH /api/features', { json: on })).status).toBe(200)
  })

  it('lists, adds, renames and retires roles', async () => {
    const seeded = ['Greeter', 'Usher', 'Music', "Children's Class", 'Audio and Video', 'Fellowship Meal']
    expect(await jsonOf(site(), 'GET /api/volunteer-roles')).toEqual(
      seeded.map((name, index) => ({ id: index + 1, name })),
    )
    const made = await ask(site(), 'POST /api/volunteer-roles', { json: { name: 'Parking' } })
    expect(made.status).toBe(201)
    const path = `/api/volunteer-roles/${JSON.parse(made.body).id}`
    const renamed = await ask(site(), `PATCH ${path}`, { json: { name: 'Parking Lot', retired: true } })
    expect(JSON.parse(renamed.body)).toMatchObject({ name: 'Parking Lot' })
    expect(await jsonOf(site(), 'GET /api/volunteer-roles')).toHaveLength(6)
  })

  it('stores a response, lists, downloads and deletes it', async () => {
    const whole = {
      phone: '+1 555 0100',
      message: 'Two lines\nof text',
      addToCalendar: true,
      calendarType: 'ical',
      familyMembers: [
        { name: 'Joel Cole', age: 'child' },
        { name: 'Dina Cole', attending: false },
      ],
    }
    const posted = await ask(site(), 'POST /api/rsvp', { json: testRsvp({ ...whole, volunteerRoles: [2, 1] }) })
    expect(posted).toMatchObject({
      status: 201,
      headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    })
    const { id } = JSON.parse(posted.body)

    const stored = {
      ...testRsvp(whole),
      id,
      deletedAt: null,
      changedAt: null,
      suspicion: null,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      familyMembers: [
        { name: 'Joel Cole', age: 'child', attending: true },
        { name: 'Dina Cole', age: null, attending: false },
      ],
      volunteerSignups: [{ role: { id: 1, name: 'Greeter' } }, { role: { id: 2, name: 'Usher' } }],
      serviceDate: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    }
    expect(await jsonOf(site(), 'GET /api/rsvps')).toEqual([stored])
    expect((await ask(site(), 'GET /api/rsvps/download')).body).toContain(
      'Joel Cole (child); Dina Cole (not attending)',
    )
    expect((await ask(site(), 'GET /share')).body).toContain('Ana Cole')

    expect(await ask(site(), `DELETE /api/rsvps/${id}`)).toMatchObject({ status: 204, body: '' })
    expectProblem(await ask(site(), `DELETE /api/rsvps/${id}`), 404)
    expect(await jsonOf(site(), 'GET /api/rsvps')).toEqual([])
  })

  it('stores a form posted without JavaScript and goes back to the page', async () => {
    const body = String(
      new URLSearchParams({ page: '/share', name: 'Form Person', email: 'f@p.example', attending: 'false' }),
    )
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const reply = await ask(site(), 'POST /api/rsvp', { body, headers })
    expect(reply).toMatchObject({
      status: 303,
      headers: { location: expect.stringMatching(/^\/share\?thanks=[\w.-]+#rsvp-title$/) },
    })
    const [{ id, name, attending }] = await jsonOf(site(), 'GET /api/rsvps')
    expect({ name, attending }).toEqual({ name: 'Form Person', attending: false })
    expect((await ask(site(), `DELETE /api/rsvps/${id}`)).status).toBe(204)
  })

  it('says that it is healthy', async () => {
    expect(await jsonOf(site(), 'GET /api/health')).toEqual({ status: 'ok' })
    expect(await jsonOf(site(), 'GET /api/ready')).toEqual({ status: 'ready' })
  })

  it.each([...READING_CALLS, '/', '/share', '/admin'])('HEAD %s is GET without a body', async (path) => {
    const [get, head] = [await ask(site(), `GET ${path}`), await ask(site(), `HEAD ${path}`)]
    expect(head).toMatchObject({ status: 200, body: '' })
    for (const name of ['content-type', 'cache-control', 'content-disposition'])
      expect({ [name]: head.headers[name] }).toEqual({ [name]: get.headers[name] })
    const lengths = [get, head].map(({ headers }) => Number(headers['content-length'] ?? 0))
    // No two pages are the same: the form has a random key, and Astro names the island by a hash of it.
    const difference = path.startsWith('/api/') ? 0 : 8
    expect(Math.abs((lengths[0] ?? 0) - (lengths[1] ?? 0))).toBeLessThanOrEqual(difference)
  })
})

async function jsonOf(site: Site, call: string) {
  const { status, headers, body } = await ask(site, call)
  expect({ status, type: headers['content-type'], cache: headers['cache-control'] }).toEqual({
    status: 200,
    type: 'application/json',
    cache: 'no-store',
  })
  return JSON.parse(body)
}
