import { beforeEach, describe, expect, it } from 'vitest'
import { testRsvp } from '#db/fixtures.ts'
import { addDays, dayText } from '#db/values/dates.ts'
import { ask, expectProblem, type Reply, storedRsvps } from '#site/scenarios/fixtures.ts'
import { guardedSite, inSiteDatabase, signIn } from '#site/scenarios/guarded-fixtures.ts'

const site = guardedSite()
const form = { 'content-type': 'application/x-www-form-urlencoded' }
let headers: { cookie: string }

beforeEach(async () => {
  headers ??= { cookie: await signIn(site()) }
  inSiteDatabase(site(), (database) =>
    database.exec('DELETE FROM rsvps; DELETE FROM events; DELETE FROM schedules; DELETE FROM skipped_dates'),
  )
})

async function offeredDates(): Promise<string[]> {
  const { services } = JSON.parse((await ask(site(), 'GET /api/schedule')).body)
  return services.map(({ date }: { date: string }) => date)
}

async function changeSchedule(change: object): Promise<void> {
  expect((await ask(site(), 'PATCH /api/schedule', { json: change, headers })).status).toBe(200)
}

function post(serviceDate: unknown, key?: string): Promise<Reply> {
  const own: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key }
  return ask(site(), 'POST /api/rsvp', { json: testRsvp({ serviceDate }), headers: own })
}

const storedDates = async () => (await storedRsvps(site(), headers)).map((row) => row.serviceDate).toReversed()

async function expectNotOffered(reply: Reply, next: string, reason: string): Promise<void> {
  expectProblem(reply, 400)
  const message = `${reason} The next service is on ${dayText(next)}.`
  expect(JSON.parse(reply.body).errors).toEqual([{ path: 'serviceDate', message }])
}

describe('an RSVP', () => {
  it('is for the service that it names of the next eight, and for the next one where it names none', async () => {
    const dates = await offeredDates()
    for (const date of [undefined, null, '', ...dates]) expect((await post(date)).status).toBe(201)
    expect(await storedDates()).toEqual([dates[0], dates[0], dates[0], ...dates])
  })

  it('is refused for any other day, and told the next one', async () => {
    const [next = '', ...later] = await offeredDates()
    await changeSchedule({ skippedDates: later.slice(0, 1) })
    const ninth = addDays((await offeredDates()).at(-1) ?? '', 7)
    const noService = [later[0] ?? '', addDays(next, 1), '2000-01-02', '2199-12-31']
    for (const date of noService)
      await expectNotOffered(await post(date), next, `There is no service on ${dayText(date)}.`)
    for (const date of [ninth, addDays(next, -7)])
      await expectNotOffered(await post(date), next, `You cannot respond for ${dayText(date)} at this time.`)
    expect(await storedDates()).toEqual([])
  })

  it.each(['2026-02-30', '2026-11-21T10:00:00Z', 'Saturday', 20261121, true, ['2026-11-21']])(
    'is refused for %j, which is not a day',
    async (date) => {
      const reply = await post(date)
      expectProblem(reply, 400)
      expect(JSON.parse(reply.body).errors).toMatchObject([{ path: 'serviceDate' }])
      expect(await storedDates()).toEqual([])
    },
  )

  it('that is sent once more when its service can no longer be chosen gets the same reply', async () => {
    await changeSchedule({ startTime: '10:00' })
    const [next = '', second = ''] = await offeredDates()
    const first = await post(next, 'once')
    expect(first.status).toBe(201)
    await changeSchedule({ skippedDates: [next] })
    expect(await post(next, 'once')).toMatchObject({ status: 201, body: first.body })
    await expectNotOffered(await post(next, 'another'), second, `There is no service on ${dayText(next)}.`)
    expect((await post(second, 'once')).status).toBe(422)
    expect(await storedDates()).toEqual([next])
  })
})

describe('the list for one service', () => {
  it('is what visitors get with `week`, and all without it', async () => {
    const [next, second] = await offeredDates()
    for (const date of [next, second, second]) await post(date)
    const countOf = async (query: string, asked = {}) =>
      JSON.parse((await ask(site(), `GET /api/rsvps${query}`, { headers: asked })).body).length
    for (const asked of [{}, headers]) {
      expect(await countOf('', asked)).toBe(3)
      expect(await countOf('?week=', asked)).toBe(3)
      expect(await countOf(`?week=${second}`, asked)).toBe(2)
      expect(await countOf(`?week=${second}&limit=1`, asked)).toBe(1)
      expect(await countOf('?week=2020-01-04', asked)).toBe(0)
    }
  })

  it.each(['this', '2026-02-30', '2026-11-21T00:00:00Z', '21.11.2026'])('is refused for the day %s', async (week) => {
    for (const asked of [{}, headers])
      expectProblem(await ask(site(), `GET /api/rsvps?week=${week}`, { headers: asked }), 400)
  })
})

describe('the public pages', () => {
  const see = async (path: string) => (await ask(site(), `GET ${path}`)).body
  const optionsIn = (page: string) =>
    Array.from(page.matchAll(/<option (selected="" )?value="(\d{4}-\d\d-\d\d)"( selected="")?/g), (found) => ({
      date: found[2],
      chosen: (found[1] ?? found[3]) !== undefined,
    }))

  it('list all until the schedule is confirmed, and this service from then on', async () => {
    const [next = '', second = ''] = await offeredDates()
    for (const date of [next, second]) await post(date)
    for (const path of ['/', '/share']) expect((await see(path)).match(/responses__name/g)).toHaveLength(2)
    await changeSchedule({ startTime: '10:00' })
    for (const path of ['/', '/share']) {
      const page = await see(path)
      expect(page.match(/responses__name/g)).toHaveLength(1)
      expect(page).toContain(`1 person is coming</strong> on ${dayText(next)}</p>`)
    }
    await changeSchedule({ skippedDates: [next, second] })
    const page = await see('/share')
    expect(page).toContain(`No services from ${dayText(next)} to ${dayText(second)}.`)
    expect(page.replaceAll('<!-- -->', '')).toMatch(/No responses for \w+, \w+ \d+ yet\. Be the first!/)
  })

  it('count this service where visitors see numbers only', async () => {
    await ask(site(), 'PATCH /api/settings', { json: { publicNames: 'counts' }, headers })
    const [next = '', second = ''] = await offeredDates()
    for (const date of [next, second, second]) await post(date)
    const counted = async () => / class="count__value"[^>]*>(\d+)</.exec(await see('/share'))?.[1]
    expect(await counted()).toBe('3')
    await changeSchedule({ startTime: '10:00' })
    expect(await counted()).toBe('1')
    expect(await see('/share')).toContain(`1 person is coming</strong> on ${dayText(next)}</p>`)
    await ask(site(), 'PATCH /api/settings', { json: { publicNames: 'initial' }, headers })
  })

  it('offer no days while the event says something else than the default schedule', async () => {
    const event = { title: 't', subtitle: 's', description: 'd', date: 'Every Sunday', time: '9:00 AM', location: 'l' }
    expect(optionsIn(await see('/share'))).toHaveLength(8)
    await ask(site(), 'POST /api/event', { json: event, headers })
    expect(optionsIn(await see('/share'))).toEqual([])
    await changeSchedule({ weekday: 0, startTime: '09:00' })
    expect(optionsIn(await see('/share'))).toHaveLength(8)
  })

  it('keep the day that was chosen when the form comes back without JavaScript, as long as it can be chosen', async () => {
    const [next = '', second = '', third = ''] = await offeredDates()
    const send = (date: string, name: string) =>
      ask(site(), 'POST /api/rsvp', {
        body: `attending=true&name=${name}&email=ana%40cole.example&serviceDate=${date}`,
        headers: form,
      })
    const wrong = await send(second, '')
    const chosen = (page: string) => (optionsIn(page).find((option) => option.chosen) ?? optionsIn(page)[0])?.date
    expect([wrong.status, chosen(wrong.body)]).toEqual([400, second])
    await changeSchedule({ skippedDates: [next, second] })
    const refused = await send(second, 'Ana+Cole')
    expect([refused.status, chosen(refused.body)]).toEqual([400, third])
    expect(refused.body).toContain(`There is no service on ${dayText(second)}.`)
    expect(refused.body).toContain('value="ana@cole.example"')
    const sent = await send(third, 'Ana+Cole')
    expect(sent.status).toBe(303)
    const thanks = await see(String(sent.headers.location).split('#')[0] ?? '')
    expect(thanks.replaceAll('<!-- -->', '')).toContain(`We have written down your answer for ${dayText(third)}:`)
    expect(await storedDates()).toEqual([third])
  })
})
