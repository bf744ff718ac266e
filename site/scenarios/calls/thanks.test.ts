import { describe, expect, it } from 'vitest'
import { ask } from '#site/scenarios/fixtures.ts'
import { guardedSite } from '#site/scenarios/guarded-fixtures.ts'
import { cookieFor } from '#site/scenarios/private-link/fixtures.ts'

const typed = { attending: 'true', name: 'Ana Cole', email: 'ana@cole.example' }

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
