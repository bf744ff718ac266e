import { describe, expect, it } from 'vitest'
import { testRsvp } from '#db/fixtures.ts'
import { ask, expectProblem, READING_CALLS, type Site, testSite } from '#site/scenarios/fixtures.ts'
import { inSiteDatabase } from '#site/scenarios/guarded-fixtures.ts'

describe('every call', () => {
  const site = testSite()

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
      ...{ standing: false, firstVisit: false, remind: false },
    }
    expect(await jsonOf(site(), 'GET /api/rsvps')).toEqual([stored])
    const { body } = await ask(site(), 'GET /api/rsvps/download')
    expect(body).toContain('Joel Cole (child); Dina Cole (not attending)')
    expect((await ask(site(), 'GET /share')).body).toContain('Ana Cole')
    expect(await ask(site(), `DELETE /api/rsvps/${id}`)).toMatchObject({ status: 204, body: '' })
    expectProblem(await ask(site(), `DELETE /api/rsvps/${id}`), 404)
    expect(await jsonOf(site(), 'GET /api/rsvps')).toEqual([])
  })

  it('says that it is healthy', async () => {
    expect(await jsonOf(site(), 'GET /api/health')).toEqual({ status: 'ok' })
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
    for (const path of ['/admin', '/api/rsvps', '/api/rsvps/download', '/admin/sheet?week=all'])
      expect((await ask(site(), `GET ${path}`)).status).toBe(200)
    const entries = inSiteDatabase(site(), (database) =>
      database.prepare("SELECT actor, action FROM audit_entries WHERE action LIKE 'responses %' ORDER BY id").all(),
    )
    expect(entries.slice(-2)).toEqual([
      { actor: 'open mode', action: 'responses exported' },
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
