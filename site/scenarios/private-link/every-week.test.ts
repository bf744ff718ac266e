import ICAL from 'ical.js'
import { beforeEach, describe, expect, it } from 'vitest'
import { hashOfLinkSecret } from '#db/rsvp/link-secret.ts'
import { ask, expectProblem, storedRsvps } from '#site/scenarios/fixtures.ts'
import { administeredSite, asVisitor, inSiteDatabase } from '#site/scenarios/guarded-fixtures.ts'
import { sendLinked } from './fixtures.ts'

const site = administeredSite({ LOG_LEVEL: 'trace' })
const visitor = () => asVisitor(site())
const noOneKeeps = { 'cache-control': 'no-store', 'x-robots-tag': 'noindex' }
beforeEach(() =>
  inSiteDatabase(site(), (database) =>
    database.exec('DELETE FROM allowances; DELETE FROM private_links; DELETE FROM rsvps; DELETE FROM standing_rsvps'),
  ),
)

async function sendHousehold(changes = {}) {
  const { key } = await sendLinked(visitor(), { standing: true, ...changes })
  const headers = { 'link-key': key, cookie: `rsvp-link=${key}` }
  const own = async () => JSON.parse((await ask(visitor(), 'GET /api/answer', { headers })).body)
  /** Posts one of the page's forms, as a browser does without JavaScript. */
  const press = (action: string, week = '', more = {}) =>
    ask(visitor(), `POST /api/answer?week=${week}`, { form: { link: hashOfLinkSecret(key), action, ...more }, headers })
  return { key, headers, own, press }
}

describe('the link of a household that comes every week', () => {
  it('changes a week, leaves it and takes that back by the API, until it ends', async () => {
    const { headers, own, press } = await sendHousehold()
    const [, second] = (await own()).standing.weeks
    const call = (line: string, json?: object) => ask(visitor(), line, { headers, json })
    const changed = await call(`PATCH /api/answer?week=${second.date}`, { message: 'Late', standing: true })
    expect(changed).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } })
    expect(JSON.parse(changed.body)).toMatchObject({ serviceDate: second.date, message: 'Late', withdrawnAt: null })
    expect((await call(`DELETE /api/answer?week=${second.date}`)).status).toBe(204)
    expect((await own()).standing.weeks[1]).toMatchObject({ people: 0 })
    expect((await press('restore', second.date)).status).toBe(303)
    expect(await storedRsvps(site())).toHaveLength(8)
    expect((await call('DELETE /api/answer')).status).toBe(204)
    expectProblem(await call('GET /api/answer'), 410)
    expect(await ask(visitor(), 'GET /answer', { headers })).toMatchObject({
      status: 410,
      body: expect.stringContaining('href="/share#rsvp-title"'),
    })
  })

  it('keeps what was typed when a week cannot be saved, and shows why a switch was refused', async () => {
    const { own, press } = await sendHousehold()
    const [, { date }] = (await own()).standing.weeks
    const refused = await press('every-week', date, { name: 'A', email: 'ana@cole.example', attending: 'true' })
    expect(refused.status).toBe(400)
    expect(refused.body).toContain('Write the name with at least two letters.')
    expect(refused.body).toContain(`?week=${date}#reply`)
    const over = await press('withdraw', '2020-01-04')
    expect(over.body).toContain('own-weeks')
    expect(over).toMatchObject({ status: 400, body: expect.stringContaining('You cannot respond for') })
  })

  it('withdraws only its day by a page from before “every week” began', async () => {
    const { headers, own, press } = await sendHousehold({ standing: false })
    const page = await ask(visitor(), 'GET /answer', { headers })
    const [, week] = /action="\/api\/answer\?week=([\d-]+)#reply"/.exec(page.body) ?? []
    await ask(visitor(), 'PATCH /api/answer', { headers, json: { standing: true } })
    expect((await press('withdraw', week)).status).toBe(303)
    expect((await own()).standing.weeks.slice(0, 2)).toMatchObject([{ date: week, people: 0 }, { people: 1 }])
  })

  it('has a calendar that no one keeps or lists, until it is revoked', async () => {
    const { own, press } = await sendHousehold({ volunteerRoles: [1], familyMembers: [{ name: 'Joel, Cole' }] })
    expect((await press('calendar')).status).toBe(303)
    const { calendar, weeks } = (await own()).standing
    const reply = await ask(visitor(), `GET ${calendar}`)
    expect(reply).toMatchObject({
      status: 200,
      headers: { ...noOneKeeps, 'content-type': 'text/calendar; charset=utf-8' },
    })
    const events = new ICAL.Component(ICAL.parse(reply.body)).getAllSubcomponents('vevent')
    const read = (name: string) => events.map((event) => String(event.getFirstPropertyValue(name)))
    expect(read('dtstart').map((start) => start.slice(0, 10))).toEqual(weeks.map(({ date }: { date: string }) => date))
    expect(new Set(read('uid')).size).toBe(8)
    for (const text of read('description'))
      expect(text).toMatch(/^Coming: Ana Cole and Joel, Cole\n\nYou help with: \w/)
    expect(reply.body + JSON.stringify(reply.headers)).not.toContain(calendar)
    await press('revoke-calendar')
    const gone = await ask(visitor(), `GET ${calendar}`)
    expectProblem(gone, 404)
    expect(gone.headers).toMatchObject(noOneKeeps)
    const token = calendar.split('/').at(-1).replace('.ics', '')
    expect(site().output()).toContain('"route":"/calendar/own/[token].ics"')
    expect(site().output()).not.toContain(token)
  })
})
