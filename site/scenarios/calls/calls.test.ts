import { describe, expect, it } from 'vitest'
import { testRsvp } from '#db/fixtures.ts'
import {
  ask,
  expectProblem,
  expectUnharmed,
  READING_CALLS,
  type Site,
  storedRsvps,
  testSite,
} from '#site/scenarios/fixtures.ts'
import { inSiteDatabase } from '#site/scenarios/guarded-fixtures.ts'

describe('every call', () => {
  const site = testSite()

  it('switches features', async () => {
    const on = { calendarIntegration: true, familyRsvp: true, volunteerSignup: true }
    expect(await jsonOf(site(), 'GET /api/features')).toEqual(on)
    const changed = await ask(site(), 'PATCH /api/features', { json: { familyRsvp: false } })
    expect(changed).toMatchObject({ status: 200, headers: { 'content-type': 'application/json' } })
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
      mergedInto: null,
    }
    expect(await jsonOf(site(), 'GET /api/rsvps')).toEqual([stored])
    const { body } = await ask(site(), 'GET /api/rsvps/download')
    expect(body).toContain('Joel Cole (child); Dina Cole (not attending)')
    expect((await ask(site(), 'GET /share')).body).toContain('Ana Cole')
    expect(await ask(site(), `DELETE /api/rsvps/${id}`)).toMatchObject({ status: 204, body: '' })
    expectProblem(await ask(site(), `DELETE /api/rsvps/${id}`), 404)
    expect(await jsonOf(site(), 'GET /api/rsvps')).toEqual([])
  })

  it('finds, deletes and brings back a selection by what matches', async () => {
    const sent = [
      { name: 'José Cole' },
      { name: 'Eva Kim', attending: false },
      { name: 'Joel Cole', volunteerRoles: [2] },
    ]
    for (const changes of sent) await ask(site(), 'POST /api/rsvp', { json: testRsvp(changes) })
    expect(await namesOf(site(), '?q=jose')).toEqual(['José Cole'])
    expect(await namesOf(site(), '?role=2')).toEqual(['Joel Cole'])
    expect((await ask(site(), 'GET /api/rsvps/download?q=JOSE')).body).toMatch(/José Cole(?![\s\S]*(Eva|Joel))/)

    const { body: page } = await ask(site(), 'GET /admin?status=attending')
    const fingerprint = Number(/fingerprint&quot;:\[0,(\d+)\]/.exec(page)?.[1])
    const [newest] = (await storedRsvps(site())).map(({ id }) => id)
    const json = { status: 'attending', newest, count: 2, fingerprint }
    for (const wrong of [{ count: 1 }, { fingerprint: 1 }])
      expectProblem(await ask(site(), 'POST /api/rsvps/delete', { json: { ...json, ...wrong } }), 412)
    expectProblem(await ask(site(), 'POST /api/rsvps/delete', { json: { status: 'attending' } }), 400)
    const { deletedAt, ...counts } = JSON.parse((await ask(site(), 'POST /api/rsvps/delete', { json })).body)
    expect(counts).toEqual({ changed: 2, left: 0 })
    expect(await namesOf(site(), '')).toEqual(['Eva Kim'])
    const restored = await ask(site(), 'POST /api/rsvps/restore', { json: { deletedAt } })
    expect(JSON.parse(restored.body)).toEqual({ changed: 2, left: 0 })
    expect(await namesOf(site(), '')).toHaveLength(3)
  })

  it('stores one response for one Idempotency-Key, and deletes it once, however often it is asked', async () => {
    const json = testRsvp({ name: 'Once Only', familyMembers: [{ name: 'Joel Cole' }], volunteerRoles: [1] })
    const same = { json, headers: { 'idempotency-key': 'pressed-twice' } }
    const replies = await Promise.all(Array.from({ length: 10 }, () => ask(site(), 'POST /api/rsvp', same)))
    replies.push(await ask(site(), 'POST /api/rsvp', same))
    expect(new Set(replies.map(({ status, body }) => `${status} ${body}`)).size).toBe(1)
    const [stored, ...others] = await storedRsvps(site())
    expect(stored).toMatchObject({ name: 'Once Only', familyMembers: [{ name: 'Joel Cole' }] })
    expect(others).toHaveLength(3)
    const deletions = await Promise.all(
      Array.from({ length: 30 }, () => ask(site(), `DELETE /api/rsvps/${stored?.id}`)),
    )
    expect(deletions.map(({ status }) => status).toSorted()).toEqual([204, ...Array(29).fill(404)])
    await expectUnharmed(site(), 3)
  })

  it('says that it is healthy', async () => {
    expect(await jsonOf(site(), 'GET /api/health')).toEqual({ status: 'ok' })
    expect(await jsonOf(site(), 'GET /api/ready')).toEqual({ status: 'ready' })
  })

  it('is the same for HEAD, without a body', async () => {
    for (const path of [...READING_CALLS, '/', '/share', '/admin']) {
      const [get, head] = [await ask(site(), `GET ${path}`), await ask(site(), `HEAD ${path}`)]
      expect([path, head]).toMatchObject([path, { status: 200, body: '' }])
      for (const name of ['content-type', 'cache-control', 'content-disposition'])
        expect([path, head.headers[name]]).toEqual([path, get.headers[name]])
    }
  })

  it('writes into the audit who took all responses along', async () => {
    for (const path of ['/admin', '/api/rsvps', '/api/rsvps/download', '/api/rsvps/print', '/admin/sheet?week=all'])
      expect((await ask(site(), `GET ${path}`)).status).toBe(200)
    const entries = inSiteDatabase(site(), (database) =>
      database.prepare("SELECT actor, action FROM audit_entries WHERE action LIKE 'responses %' ORDER BY id").all(),
    )
    expect(entries.slice(-3)).toEqual([
      { actor: 'open mode', action: 'responses exported' },
      { actor: 'open mode', action: 'responses printed' },
      { actor: 'open mode', action: 'responses printed' },
    ])
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

async function namesOf(site: Site, query: string): Promise<string[]> {
  const { body } = await ask(site, `GET /api/rsvps${query}`)
  return JSON.parse(body).map(({ name }: { name: string }) => name)
}
