import { beforeAll, describe, expect, it } from 'vitest'
import { ask, formKeyIn, type Reply, storedRsvps, testSite } from '#site/scenarios/fixtures.ts'
import { guardedSite } from '#site/scenarios/guarded-fixtures.ts'
import { cookieFor } from '#site/scenarios/private-link/fixtures.ts'

const thanks = 'Thank you for your response!'
const typed = { attending: 'true', name: 'Ana Cole', email: 'ana@cole.example' }

describe('the thank-you without JavaScript', () => {
  const site = testSite()
  let formKey: string
  let location: string
  const press = () => ask(site(), 'POST /api/rsvp', { form: { ...typed, formKey } })
  const see = (address: string): Promise<Reply> => ask(site(), `GET ${address.split('#')[0]}`)
  beforeAll(async () => {
    formKey = formKeyIn(await see('/share')) ?? ''
    location = String((await press()).headers.location)
  })

  it('is shown by the mark of a response alone, and kept by no cache', async () => {
    const page = await see(location)
    expect([page.status, page.body.includes(thanks), page.headers['cache-control']]).toEqual([200, true, 'no-store'])
    for (const address of ['/share?thanks', '/?thanks=1', `${location.split('#')[0]?.slice(0, -1)}~`]) {
      const plain = await see(address)
      expect([address, plain.status, plain.body.includes(thanks)]).toEqual([address, 200, false])
    }
  })

  it('is over once the response is deleted, and the next press says so on the page', async () => {
    const [stored] = await storedRsvps(site())
    await ask(site(), `DELETE /api/rsvps/${stored?.id}`)
    expect((await see(location)).body).not.toContain(thanks)
    const page = await press()
    expect([page.status, page.body.includes(thanks)]).toEqual([409, false])
    expect(page.body).toContain('This response was stored, and it has been deleted since.')
    expect(page.body).toContain('value="ana@cole.example"')
    expect(await storedRsvps(site())).toEqual([])
  })
})

describe('the private link of a form that was sent without JavaScript', () => {
  const site = guardedSite()
  const post = (name: string) => ask(site(), 'POST /api/rsvp', { form: { ...typed, page: '/share', name } })

  it('is shown to be kept, to the browser that sent it alone, and stands in no address or log', async () => {
    const [sent, later] = [await post('Form Person'), await post('Other Person')]
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
