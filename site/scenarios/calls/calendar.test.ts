import { describe, expect, it } from 'vitest'
import { readCalendar } from '#db/calendar/calendar-fixtures.ts'
import { ask, expectProblem } from '#site/scenarios/fixtures.ts'
import { administeredSite, asVisitor } from '#site/scenarios/guarded-fixtures.ts'
import { testEvent } from '#testing/database-fixtures.ts'

const FILE = '/calendar.ics'

describe('the calendar', () => {
  const site = administeredSite()
  const see = (path: string) => ask(asVisitor(site()), `GET ${path}`)
  const change = async (call: string, json: unknown) => expect((await ask(site(), call, { json })).status).toBe(200)
  const third = async () => JSON.parse((await see('/api/schedule')).body).services[2].date as string

  it('is a file that phones open, with the link to the share page', async () => {
    await change('POST /api/event', testEvent({ date: 'Every Sunday', eventTitle: 'Songs; and, prayers' }))
    await change('PATCH /api/schedule', { weekday: 0, timeZone: 'America/Chicago' })
    const reply = await see(FILE)
    expect(reply).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'text/calendar; charset=utf-8',
        'content-disposition': 'inline; filename="service.ics"',
        'cache-control': 'private, no-cache',
      },
    })
    const { event, text } = readCalendar(reply.body)
    expect([event.summary, text('url')]).toEqual(['Songs; and, prayers', `http://${new URL(site().url).host}/share`])
  })

  it('is one day where one is asked for, and says where there is no service', async () => {
    const date = await third()
    const { event } = readCalendar((await see(`${FILE}?date=${date}`)).body)
    expect([event.isRecurring(), event.startDate.toString()]).toEqual([false, `${date}T10:00:00`])
    const start = `dates=${date.replaceAll('-', '')}T100000%2F`
    expect(await see(`${FILE}?date=${date}&to=google`)).toMatchObject({
      status: 303,
      headers: { location: expect.stringContaining(start) },
    })
    expectProblem(await see(`${FILE}?date=2026-11-21`), 404)
    expectProblem(await see(`${FILE}?date=x`), 400)
  })
})
