import ICAL from 'ical.js'
import { beforeEach, describe, expect, it } from 'vitest'
import { hashOfLinkSecret } from '#db/rsvp/private-links.ts'
import { ask, cookieFor, expectProblem, storedRsvps } from '#site/scenarios/fixtures.ts'
import {
  administeredSite,
  asVisitor,
  guardedSite,
  inSiteDatabase,
  rowsByTable,
} from '#site/scenarios/guarded-fixtures.ts'
import { testRsvp } from '#testing/database-fixtures.ts'

const site = administeredSite({ LOG_LEVEL: 'trace' })
const visitor = () => asVisitor(site())
const storedAs = async (name: string) => (await storedRsvps(site())).find((each) => each.name === name)
beforeEach(() => inSiteDatabase(site(), (database) => database.exec('DELETE FROM allowances')))

/** Sends an RSVP; returns its private link as a path, and the secret in it. */
async function sendLinked(changes: Record<string, unknown> = {}): Promise<{ path: string; key: string }> {
  const { link } = JSON.parse((await ask(visitor(), 'POST /api/rsvp', { json: testRsvp(changes) })).body)
  const { pathname, search, searchParams } = new URL(link)
  return { path: pathname + search, key: searchParams.get('key') ?? '' }
}

describe('a private link', () => {
  it('comes with the RSVP, and opens at once into a cookie for its page and its calls alone', async () => {
    const { path, key } = await sendLinked()
    const kept = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }
    const slashed = await ask(visitor(), `GET ${path.replace('?', '/?')}`)
    expect(slashed).toMatchObject({ status: 301, headers: { location: `/answer?key=${key}`, ...kept } })
    for (const method of ['GET', 'HEAD']) {
      const opened = await ask(visitor(), `${method} ${path}`)
      expect(opened).toMatchObject({ status: 303, headers: { location: '/answer', ...kept } })
      expect(opened.headers['set-cookie']).toEqual(
        ['/answer', '/api/answer'].map((own) => `rsvp-link=${key}; Max-Age=43200; Path=${own}; HttpOnly; SameSite=Lax`),
      )
      expect(opened.body).not.toContain(key)
    }
  })

  it('shows its RSVP by the cookie or by the header, which counts first, and no one else’s', async () => {
    const [own, other] = [await sendLinked(), await sendLinked({ name: 'Bea Cole' })]
    const opened = await ask(visitor(), `GET ${own.path}`)
    const cookie = cookieFor('/api/answer', opened)
    const byCookie = await ask(visitor(), 'GET /api/answer', { headers: { cookie } })
    expect(byCookie).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } })
    expect(JSON.parse(byCookie.body)).toMatchObject({ name: 'Ana Cole', changedAt: null, withdrawnAt: null })
    expect(JSON.parse(byCookie.body)).not.toHaveProperty('id')
    const byHeader = await ask(visitor(), 'GET /api/answer', { headers: { cookie, 'link-key': other.key } })
    expect(JSON.parse(byHeader.body)).toMatchObject({ name: 'Bea Cole' })
    const page = await ask(visitor(), 'GET /answer', { headers: { cookie: cookieFor('/answer', opened) } })
    expect(page).toMatchObject({
      status: 200,
      headers: { 'cache-control': 'no-store', 'referrer-policy': 'same-origin' },
    })
    expect(page.body).toContain('Ana Cole')
    expect(page.body).not.toContain('Bea Cole')
  })

  it.each([false, true])('changes nothing by being opened, read or asked for in advance: %s', async (standing) => {
    const { path, key } = await sendLinked({ standing })
    const before = rowsByTable(site())
    const known = { 'link-key': key, cookie: `rsvp-link=${key}` }
    const day = JSON.parse((await ask(visitor(), 'GET /api/answer', { headers: known })).body).serviceDate
    const asking = { purpose: 'prefetch', 'sec-purpose': 'prefetch', 'user-agent': 'WhatsApp/2.23' }
    for (const method of ['GET', 'HEAD'])
      for (const address of [path, '/answer', `/answer?week=${day}`, '/api/answer', `/api/answer?week=${day}`])
        for (const headers of [known, { ...known, ...asking }])
          expect((await ask(visitor(), `${method} ${address}`, { headers })).status).toBeLessThan(400)
    expect(rowsByTable(site())).toEqual(before)
  })

  it.each<[string, object, string?, object?]>([
    ['none', {}],
    ['a guess in the cookie', { cookie: 'rsvp-link=0123456789012345678901' }],
    ['the cookie of https', { cookie: '__Secure-rsvp-link=KEY' }],
    ['the key in the address', {}, '?key=KEY&linkSecret=KEY'],
    ['the key in the body', {}, '', { linkSecret: 'KEY' }],
  ])('with %s gets the same 404, whatever is done with it', async (_, known, query = '', more = {}) => {
    const { key } = await sendLinked({ name: 'Not Found' })
    const withKey = (value: unknown) => JSON.parse(JSON.stringify(value).replaceAll('KEY', key))
    const bodies = new Set<string>()
    for (const call of ['GET', 'PATCH', 'DELETE']) {
      const json = call === 'PATCH' ? withKey({ name: 'Taken over', ...more }) : undefined
      const reply = await ask(visitor(), `${call} /api/answer${withKey(query)}`, { json, headers: withKey(known) })
      expectProblem(reply, 404)
      bodies.add(reply.body)
    }
    expect(bodies.size).toBe(1)
    expect((await ask(visitor(), 'GET /answer', { headers: withKey(known) })).status).toBe(404)
    expect(await storedAs('Not Found')).toBeDefined()
  })

  it('works with what programs that pass it on leave behind it', async () => {
    const { key } = await sendLinked()
    for (const left of ['.', ')', '>', '%20', ',', '…', '%E2%80%8B', '&fbclid=x', '?utm_source=x', '/', '%0A%3E']) {
      const opened = await ask(visitor(), `GET /answer?key=${key}${left === '…' ? encodeURI(left) : left}`)
      expect([left, opened]).toMatchObject([left, { status: 303, headers: { location: '/answer' } }])
      expect(cookieFor('/answer', opened)).toBe(`rsvp-link=${key}`)
    }
  })

  it('that is incomplete says so, keeps what the browser has opened before, and leads to no other site', async () => {
    const { key: known } = await sendLinked()
    const headers = { cookie: `rsvp-link=${known}` }
    for (const key of ['short', '', known.slice(1), '//evil.example', '\r\nset-cookie: a=b', 'a; Domain=x']) {
      const opened = await ask(visitor(), `GET /answer?key=${encodeURIComponent(key)}`, { headers })
      expect(opened).toMatchObject({ status: 303, headers: { location: '/answer?incomplete' } })
      expect(opened.headers).not.toHaveProperty('set-cookie')
    }
    const told = await ask(visitor(), 'GET /answer?incomplete', { headers })
    expect(told).toMatchObject({
      status: 404,
      body: expect.stringContaining('This link is incomplete. Open the whole'),
    })
    expect(told.body).not.toContain('Ana Cole')
    expect((await ask(visitor(), 'GET /answer', { headers })).body).toContain('Ana Cole')
  })

  it('is kept in no page that others get, and stands in no log', async () => {
    const { path, key } = await sendLinked()
    const cookie = cookieFor('/answer', await ask(visitor(), `GET ${path}`))
    for (const address of ['/', '/share', '/privacy', '/api/rsvps', '/api/event']) {
      await ask(visitor(), `GET ${address}`, { headers: { cookie } })
      expect((await ask(visitor(), `GET ${address}`)).body).not.toContain(key)
    }
    expect(site().output()).not.toContain(key)
  })

  it('never writes over the RSVP of another link that was opened in the browser, nor withdraws it', async () => {
    const first = await sendLinked({ name: 'First Link' })
    const second = await sendLinked({ name: 'Second Link' })
    // The cookie of the link that was opened last is sent with the form of the first one.
    const headers = { cookie: cookieFor('/api/answer', await ask(visitor(), `GET ${second.path}`)) }
    const before = rowsByTable(site())
    const typed = { name: 'First Link', email: 'ana@cole.example', attending: 'false', message: 'Typed' }
    for (const link of [hashOfLinkSecret(first.key), first.key, '', undefined])
      for (const action of [undefined, 'withdraw', 'restore', 'end', 'calendar', 'every-week', 'add-family-member']) {
        const form = { ...typed, ...(link !== undefined && { link }), ...(action && { action }) }
        const reply = await ask(visitor(), 'POST /api/answer', { form, headers })
        expect(reply).toMatchObject({ status: 409, headers: { 'cache-control': 'no-store' } })
        expect(reply.body).toContain('Another private link was opened in this browser meanwhile')
        expect(reply.body).not.toMatch(/Typed|Second Link|<form/)
      }
    expect(rowsByTable(site())).toEqual(before)
  })
})

describe('a private link behind a public address', () => {
  const published = guardedSite({ PUBLIC_URL: 'https://rsvp.example.org' })

  it('has that address, and its cookie travels over https alone', async () => {
    const { link } = JSON.parse((await ask(published(), 'POST /api/rsvp', { json: testRsvp() })).body)
    expect(link).toMatch(/^https:\/\/rsvp\.example\.org\/answer\?key=[\w-]{22}$/)
    const opened = await ask(published(), `GET /answer${new URL(link).search}`)
    for (const cookie of opened.headers['set-cookie'] ?? []) expect(cookie).toMatch(/^__Secure-rsvp-link=.+; Secure$/)
  })
})

describe('the private link by mail', () => {
  const CALL = 'POST /api/answer/link'
  const withMail = guardedSite({ SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'rsvp@cole.example' })
  const known = { email: 'ana@cole.example' }
  const unknown = { email: 'bea@roe.example' }

  it('is asked for with the same reply whether the address is known or not', async () => {
    expect((await ask(withMail(), 'POST /api/rsvp', { json: testRsvp(known) })).status).toBe(201)
    const reply = async (sent: { json: object } | { form: Record<string, string> }) => {
      const { status, headers, body } = await ask(withMail(), CALL, sent)
      return [status, { ...headers, date: '', 'x-request-id': '' }, body]
    }
    const pasted = { email: 'Ana Cole <mailto:ana@cole.\u200bexample>,' }
    const [json, form] = [await reply({ json: known }), await reply({ form: pasted })]
    expect([json, form]).toMatchObject([
      [204, {}, ''],
      [303, { location: '/answer?sent#reply' }, ''],
    ])
    expect([await reply({ json: unknown }), await reply({ form: unknown })]).toEqual([json, form])
    const queued = JSON.stringify(rowsByTable(withMail()).mail_queue)
    for (const { email } of [known, unknown]) expect(queued).toContain(`"address":"${email}"`)
    expect((await ask(withMail(), 'GET /answer?sent')).body).toContain(
      'an email with their private links is on its way',
    )
  })

  it('says on the page why none is sent, and offers none without a mail server', async () => {
    const wrong = await ask(withMail(), CALL, { form: { email: 'ana@cole' } })
    expect(wrong.status).toBe(400)
    expect(wrong.body).toMatch(/Invalid email address.*value="ana@cole"/s)
    expectProblem(await ask(visitor(), CALL, { json: known }), 404)
    for (const path of ['/share', '/answer']) {
      expect((await ask(withMail(), `GET ${path}`)).body).toContain(CALL.slice(5))
      expect((await ask(visitor(), `GET ${path}`)).body).not.toContain(CALL.slice(5))
    }
  })
})

async function sendHousehold(changes = {}) {
  const { key } = await sendLinked({ standing: true, ...changes })
  const headers = { 'link-key': key, cookie: `rsvp-link=${key}` }
  const own = async () => JSON.parse((await ask(visitor(), 'GET /api/answer', { headers })).body)
  /** Posts one of the page's forms, as a browser does without JavaScript. */
  const press = (action: string, week = '', more = {}) =>
    ask(visitor(), `POST /api/answer?week=${week}`, { form: { link: hashOfLinkSecret(key), action, ...more }, headers })
  return { key, headers, own, press }
}

describe('the link of a household that comes every week', () => {
  const noOneKeeps = { 'cache-control': 'no-store', 'x-robots-tag': 'noindex' }

  it('changes a week, leaves it and takes that back by the API, also that it ends', async () => {
    const { headers, own, press } = await sendHousehold()
    const before = (await storedRsvps(site())).length
    const [, second] = (await own()).standing.weeks
    const call = (line: string, json?: object) => ask(visitor(), line, { headers, json })
    const changed = await call(`PATCH /api/answer?week=${second.date}`, { message: 'Late', standing: true })
    expect(changed).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } })
    expect(JSON.parse(changed.body)).toMatchObject({ serviceDate: second.date, message: 'Late', withdrawnAt: null })
    expect((await call(`DELETE /api/answer?week=${second.date}`)).status).toBe(204)
    expect((await own()).standing.weeks[1]).toMatchObject({ people: 0 })
    expect((await press('restore', second.date)).status).toBe(303)
    expect(await storedRsvps(site())).toHaveLength(before)
    expect((await call('DELETE /api/answer')).status).toBe(204)
    expect(await own()).toMatchObject({ withdrawnAt: expect.any(String), standing: { countedUntil: null } })
    for (const address of ['/answer', `/answer?week=${second.date}`]) {
      const ended = await ask(visitor(), `GET ${address}`, { headers })
      expect(ended).toMatchObject({ status: 200, body: expect.stringContaining('<h2>Thank you, ') })
    }
    expect((await press('restore', second.date)).body).toContain('no longer comes every week')
    expect(await press('restore')).toMatchObject({ status: 303, headers: { location: '/answer?restored#reply' } })
    expect(await storedRsvps(site())).toHaveLength(before)
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
