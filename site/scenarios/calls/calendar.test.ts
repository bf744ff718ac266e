import { expect, it } from 'vitest'
import { readCalendar } from '#db/calendar/calendar-fixtures.ts'
import { testEvent } from '#db/fixtures.ts'
import { ask, expectProblem, type Site } from '#site/scenarios/fixtures.ts'
import { asVisitor, describeInBothModes } from '#site/scenarios/mode-fixtures.ts'

const FILE = 'GET /calendar.ics'

async function change(site: Site, call: string, json: unknown): Promise<void> {
  expect((await ask(site, call, { json })).status).toBe(200)
}

async function read(site: Site) {
  const { status, body } = await ask(asVisitor(site), FILE)
  expect(status).toBe(200)
  return readCalendar(body)
}

describeInBothModes('the calendar', (site) => {
  it('is missing while the event’s texts contradict a schedule that is not confirmed', async () => {
    await change(site(), 'POST /api/event', testEvent({ date: 'Every Sunday', eventTitle: 'Songs; and, prayers' }))
    const reply = await ask(asVisitor(site()), FILE)
    expectProblem(reply, 404)
    expect(reply.body).toContain('An administrator can set it at /admin, in the Settings tab.')
    expect((await ask(asVisitor(site()), 'GET /api/calendar')).body).toBe('null')
    expect((await ask(asVisitor(site()), 'GET /share')).body).not.toContain('Subscribe to the calendar')
  })

  it('is a file that phones open, with the link to the share page', async () => {
    await change(site(), 'PATCH /api/schedule', { weekday: 0, timeZone: 'America/Chicago' })
    const reply = await ask(asVisitor(site()), FILE)
    expect(reply).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'text/calendar; charset=utf-8',
        'content-disposition': 'inline; filename="service.ics"',
        'cache-control': 'private, no-cache',
        'x-content-type-options': 'nosniff',
      },
    })
    const { event, text } = readCalendar(reply.body)
    const page = `http://${new URL(site().url).host}/share`
    expect([event.summary, text('url')]).toEqual(['Songs; and, prayers', page])
    expect((await ask(asVisitor(site()), `HEAD /calendar.ics`)).body).toBe('')
  })

  it('is one day where one is asked for, and says where there is no service', async () => {
    const { date } = JSON.parse((await ask(asVisitor(site()), 'GET /api/schedule')).body).services[2]
    const { event } = readCalendar((await ask(asVisitor(site()), `${FILE}?date=${date}`)).body)
    expect([event.isRecurring(), event.startDate.toString()]).toEqual([false, `${date}T10:00:00`])
    expect((await read(site())).event.isRecurring()).toBe(true)
    const google = await ask(asVisitor(site()), `${FILE}?date=${date}&to=google`)
    const start = `dates=${date.replaceAll('-', '')}T100000%2F`
    expect(google).toMatchObject({ status: 303, headers: { location: expect.stringContaining(start) } })
    expectProblem(await ask(asVisitor(site()), `${FILE}?date=2026-11-21`), 404)
    expectProblem(await ask(asVisitor(site()), `${FILE}?date=x`), 400)
  })

  it('stays the same event with a higher sequence number when a service is skipped', async () => {
    const { date } = JSON.parse((await ask(asVisitor(site()), 'GET /api/schedule')).body).services[2]
    const before = await read(site())
    await change(site(), 'PATCH /api/schedule', { skippedDates: [date] })
    const after = await read(site())
    expect(after.event.uid).toBe(before.event.uid)
    expect(after.event.sequence).toBeGreaterThan(before.event.sequence)
    expect(after.text('exdate')).toBe(`${date}T10:00:00`)
  })

  it('is offered on the page, and by the links of the call, while that is switched on', async () => {
    const links = JSON.parse((await ask(asVisitor(site()), 'GET /api/calendar')).body)
    expect(links).toEqual({ google: expect.stringContaining('BYDAY%3DSU'), ical: '/calendar.ics', weekday: 0 })
    const { host } = new URL(site().url)
    for (const path of ['/', '/share'])
      expect((await ask(asVisitor(site()), `GET ${path}`)).body).toContain(`href="webcal://${host}/calendar.ics"`)
    await change(site(), 'PATCH /api/features', { calendarIntegration: false })
    expect((await ask(asVisitor(site()), 'GET /api/calendar')).body).toBe('null')
    expect((await ask(asVisitor(site()), 'GET /share')).body).not.toContain('webcal:')
    expect((await ask(asVisitor(site()), FILE)).status).toBe(200)
  })
})
