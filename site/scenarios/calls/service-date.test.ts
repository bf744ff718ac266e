import { beforeEach, describe, expect, it } from 'vitest'
import { testRsvp } from '#db/fixtures.ts'
import { dayText } from '#db/values/dates.ts'
import { ask, expectProblem, type Reply, storedRsvps } from '#site/scenarios/fixtures.ts'
import { guardedSite, inSiteDatabase, signIn } from '#site/scenarios/guarded-fixtures.ts'

const site = guardedSite()
let headers: { cookie: string }
/** The days of the next services. */
let [next, second, third]: string[] = []

beforeEach(async () => {
  headers ??= { cookie: await signIn(site()) }
  inSiteDatabase(site(), (database) =>
    database.exec('DELETE FROM rsvps; DELETE FROM events; DELETE FROM schedules; DELETE FROM skipped_dates'),
  )
  const { services } = JSON.parse((await ask(site(), 'GET /api/schedule')).body)
  ;[next, second, third] = services.map(({ date }: { date: string }) => date)
})

async function changeSchedule(change: object): Promise<void> {
  expect((await ask(site(), 'PATCH /api/schedule', { json: change, headers })).status).toBe(200)
}

function post(serviceDate: unknown, key?: string): Promise<Reply> {
  const own: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key }
  return ask(site(), 'POST /api/rsvp', { json: testRsvp({ serviceDate }), headers: own })
}

const storedDates = async () => (await storedRsvps(site(), headers)).map((row) => row.serviceDate).toReversed()

describe('the list for one service', () => {
  it('is what visitors get with `week`, and all without it', async () => {
    for (const date of [next, second, second]) await post(date)
    for (const asked of [{}, headers]) {
      const counted = ['', `?week=${second}`, `?week=${second}&limit=1`, '?week=2020-01-04'].map(
        async (query) => JSON.parse((await ask(site(), `GET /api/rsvps${query}`, { headers: asked })).body).length,
      )
      expect(await Promise.all(counted)).toEqual([3, 2, 1, 0])
      // The link to the next page keeps to the service.
      const { headers: told } = await ask(site(), `GET /api/rsvps?week=${second}&limit=1`, { headers: asked })
      const [, following] = /^<([^>]+)>; rel="next"$/.exec(String(told.link)) ?? []
      const rest = await ask(site(), `GET ${following}`, { headers: asked })
      expect([JSON.parse(rest.body).length, rest.headers.link]).toEqual([1, undefined])
      for (const week of ['this', '2026-02-30', '21.11.2026'])
        expectProblem(await ask(site(), `GET /api/rsvps?week=${week}`, { headers: asked }), 400)
    }
  })
})

describe('the public pages', () => {
  const see = async (path: string) => (await ask(site(), `GET ${path}`)).body.replaceAll('<!-- -->', '')
  const optionsIn = (page: string) =>
    Array.from(page.matchAll(/<option (selected="" )?value="(\d{4}-\d\d-\d\d)"( selected="")?/g), (found) => ({
      date: found[2],
      chosen: (found[1] ?? found[3]) !== undefined,
    }))

  it('keep the day that was chosen when the form comes back without JavaScript, as long as it can be chosen', async () => {
    const send = (serviceDate = '', name = '') =>
      ask(site(), 'POST /api/rsvp', { form: { attending: 'true', name, email: 'ana@cole.example', serviceDate } })
    const chosen = (page: string) => (optionsIn(page).find((option) => option.chosen) ?? optionsIn(page)[0])?.date
    const wrong = await send(second)
    expect([wrong.status, chosen(wrong.body)]).toEqual([400, second])
    await changeSchedule({ skippedDates: [next, second] })
    const refused = await send(second, 'Ana Cole')
    expect([refused.status, chosen(refused.body)]).toEqual([400, third])
    expect(refused.body).toContain(`There is no service on ${dayText(String(second))}.`)
    expect(refused.body).toContain('value="ana@cole.example"')
    const sent = await send(third, 'Ana Cole')
    expect(sent.status).toBe(303)
    const thanks = await see(String(sent.headers.location).split('#')[0] ?? '')
    expect(thanks).toContain(`We have written down your answer for ${dayText(String(third))}:`)
    expect(await storedDates()).toEqual([third])
  })
})
