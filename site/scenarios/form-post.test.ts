import { describe, expect, it } from 'vitest'
import { dayText } from '#db/values/dates.ts'
import { ask, cookieFor, formKeyIn, storedRsvps, testSite } from '#site/scenarios/fixtures.ts'

const yes = 'page=%2Fshare&attending=true&name=Ana+Cole&email=ana%40cole.example&message=Two%0D%0Alines'
const no = yes.replace('true', 'false')

describe('the form without JavaScript', () => {
  const site = testSite()
  const post = (form: string) => ask(site(), 'POST /api/rsvp', { form })
  const formKey = async () => formKeyIn(await ask(site(), 'GET /share'))

  it('stores a second press once, and every change of mind', async () => {
    for (const fields of [yes, no, yes]) {
      const form = `${fields}&formKey=${await formKey()}`
      for (const _press of [1, 2])
        expect(await post(form)).toMatchObject({
          status: 303,
          headers: { location: expect.stringMatching(/^\/share\?thanks=[\w.-]+#rsvp-title$/) },
        })
    }
    const stored = await storedRsvps(site())
    expect(stored.map(({ attending }) => attending)).toEqual([true, false, true])
    expect(stored[0]?.message).toBe('Two\nlines')
  })

  it('makes a list in the name of a member a member each, and loses none where there is no room', async () => {
    const sent = 'familyMembers.0.name=Joel%3B+Mia+and+Noah&familyMembers.0.age=child&familyMembers.1.name=Cole,+Ruth'
    const withYears = 'familyMembers.2.name=Uli+(8),+Vera+(40)'
    expect((await post(`${yes}&${sent}&${withYears}`)).status).toBe(303)
    const [stored] = await storedRsvps(site())
    expect(stored?.familyMembers).toEqual([
      ...['Joel', 'Mia', 'Noah'].map((name) => ({ name, age: 'child', attending: true })),
      { name: 'Cole, Ruth', age: null, attending: true },
      { name: 'Uli', age: 'child', attending: true },
      { name: 'Vera', age: 'adult', attending: true },
    ])
    const many = Array.from({ length: 50 }, (_, child) => `Child${child}`)
    const reply = await post(`${yes}&familyMembers.0.name=${many.join(',')}`)
    expect([reply.status, reply.body]).toEqual([400, expect.stringContaining('Add at most 20 family members.')])
    for (const name of many) expect(reply.body).toContain(name)
    const removed = await post(
      `${yes}&familyMembers.0.name=A,B,C&familyMembers.1.name=Joel&action=remove-family-member:1`,
    )
    expect(removed.body).toContain('value="A,B,C"')
    expect(removed.body).not.toContain('value="Joel"')
  })
})

describe('the day that was chosen in the form without JavaScript', () => {
  const site = testSite()
  const send = (serviceDate: string, name = 'Ana Cole') =>
    ask(site(), 'POST /api/rsvp', { form: { attending: 'true', name, email: 'ana@cole.example', serviceDate } })

  /** The day that is chosen in a page, otherwise the first. */
  function chosenIn(page: string): string | undefined {
    const chosen = /<option (?:selected="" value="([\d-]{10})"|value="([\d-]{10})" selected="")/.exec(page)
    return chosen?.[1] ?? chosen?.[2] ?? /<option value="([\d-]{10})"/.exec(page)?.[1]
  }

  it('stays when the form comes back, as long as it can be chosen', async () => {
    const { services } = JSON.parse((await ask(site(), 'GET /api/schedule')).body)
    const [next, second, third] = services.map(({ date }: { date: string }) => date)
    const wrong = await send(second, '')
    expect([wrong.status, chosenIn(wrong.body)]).toEqual([400, second])
    await ask(site(), 'PATCH /api/schedule', { json: { skippedDates: [next, second] } })
    const refused = await send(second)
    expect([refused.status, chosenIn(refused.body)]).toEqual([400, third])
    expect(refused.body).toContain(`There is no service on ${dayText(second)}.`)
    expect(refused.body).toContain('value="ana@cole.example"')
    const sent = await send(third)
    expect(sent.status).toBe(303)
    const thanks = await ask(site(), `GET ${String(sent.headers.location).split('#')[0]}`)
    expect(thanks.body).toContain(`>${dayText(third)}</li>`)
    expect((await storedRsvps(site())).map(({ serviceDate }) => serviceDate)).toEqual([third])
  })
})

describe('the private link of a form that was sent without JavaScript', () => {
  const site = testSite()
  const post = (name: string) => ask(site(), 'POST /api/rsvp', { form: yes.replace('Ana+Cole', name) })

  it('is shown to be kept, to the browser that sent it alone, and stands in no address or log', async () => {
    const [sent, later] = [await post('Form+Person'), await post('Other+Person')]
    const address = String(sent.headers.location).split('#')[0]
    const cookie = cookieFor('/share', sent)
    const [, key = ''] = cookie.split('=')
    expect(key).toMatch(/^[\w-]{22}$/)
    // For as long as the thank-you is shown, also at the page of the link.
    expect(sent.headers['set-cookie']).toEqual(Array(3).fill(expect.stringContaining('; Max-Age=600; ')))
    const own = await ask(site(), 'GET /answer', { headers: { cookie: cookieFor('/answer', sent) } })
    expect(own.body).toContain('Form Person')
    const linkOn = async (headers: Record<string, string>) => {
      const page = await ask(site(), `GET ${address}`, { headers })
      expect([page.status, page.headers['cache-control']]).toEqual([200, 'no-store'])
      expect(page.body).toContain('Form Person')
      return /value="([^"]+)\/answer\?key=([\w-]+)"/.exec(page.body)?.[2]
    }
    expect(await linkOn({ cookie })).toBe(key)
    for (const other of [undefined, cookieFor('/share', later), `rsvp-thanks=${'x'.repeat(22)}`])
      expect(await linkOn(other === undefined ? {} : { cookie: other })).toBeUndefined()
    expect((await ask(site(), 'GET /share', { headers: { cookie } })).body).not.toContain(key)
    expect(address + site().output()).not.toContain(key)
  })
})
