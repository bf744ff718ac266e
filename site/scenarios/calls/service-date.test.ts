import { beforeEach, describe, expect, it } from 'vitest'
import { dayText } from '#db/values/dates.ts'
import { ask, storedRsvps } from '#site/scenarios/fixtures.ts'
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

const storedDates = async () => (await storedRsvps(site(), headers)).map((row) => row.serviceDate).toReversed()

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
