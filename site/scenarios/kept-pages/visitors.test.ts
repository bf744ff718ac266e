import { beforeAll, describe, expect, it } from 'vitest'
import { testRsvp } from '#db/fixtures.ts'
import { ask, formKeyIn, runRsvp, testSite } from '#site/scenarios/fixtures.ts'
import { guardedSite, PASSWORD, signIn } from '#site/scenarios/guarded-fixtures.ts'
import { KEPT_PATHS } from './fixtures.ts'

const AT_ONCE = 32
/** What only an administrator's page says. */
const ADMINISTRATORS = /mayEdit&quot;:\[0,true\]/
const PRIVATE = /ana@cole\.example|Secret prayer/

describe('pages that an administrator and visitors load at once', () => {
  const site = guardedSite({ RSVP_POST_LIMIT: 'off' })
  let administrator: Record<string, string>
  let thanks: string
  beforeAll(async () => {
    administrator = { cookie: await signIn(site()) }
    const json = testRsvp({ message: 'Secret prayer' })
    expect((await ask(site(), 'POST /api/rsvp', { json })).status).toBe(201)
    const form = { attending: 'true', name: 'Ana Cole', email: 'ana@cole.example', formKey: crypto.randomUUID() }
    thanks = String((await ask(site(), 'POST /api/rsvp', { form })).headers.location).split('#')[0] ?? ''
  })

  it.each([
    ['counts', true, /^(?![\s\S]*(Ana|A\. C\.))/],
    ['full', false, /Ana Cole/],
  ])('are each made for who asked, with names %s', async (publicNames, volunteerSignup, listed) => {
    await ask(site(), 'PATCH /api/settings', { json: { publicNames }, headers: administrator })
    await ask(site(), 'PATCH /api/features', { json: { volunteerSignup }, headers: administrator })
    const keys: (string | undefined)[] = []

    async function asVisitor(path: string): Promise<void> {
      const reply = await ask(site(), `GET ${path}`)
      expect([path, reply.status, reply.body]).toEqual([path, 200, expect.not.stringMatching(ADMINISTRATORS)])
      expect(reply.body).not.toMatch(PRIVATE)
      expect(reply.headers).not.toHaveProperty('set-cookie')
      if (path === '/') expect(reply.body).toMatch(listed)
      if (path === '/' || path === '/share') keys.push(formKeyIn(reply))
    }
    async function asAdministrator(path: string): Promise<void> {
      const { status, body } = await ask(site(), `GET ${path}`, { headers: administrator })
      expect([path, status]).toEqual([path, 200])
      if (!/^\/api\/|\.ics$/.test(path)) expect(body).toMatch(ADMINISTRATORS)
      if (path === '/') expect(body).toContain('Ana Cole')
    }
    async function asSender(): Promise<void> {
      expect((await ask(site(), `GET ${thanks}`)).body).toContain('Thank you for your response!')
      const returned = await ask(site(), 'POST /api/rsvp', { form: { name: 'Typed Here', email: 'x' } })
      expect([returned.status, returned.body.includes('Typed Here')]).toEqual([400, true])
    }

    for (let round = 0; round < 2; round += 1) {
      const asked = Array.from({ length: AT_ONCE }, (_, number) => {
        const path = KEPT_PATHS[(number >> 1) % KEPT_PATHS.length] ?? '/'
        if (number % 8 === 7) return asSender()
        return number % 2 === 0 ? asVisitor(path) : asAdministrator(path)
      })
      await Promise.all(asked)
    }
    for (const path of KEPT_PATHS)
      expect((await ask(site(), `GET ${path}`)).body).not.toMatch(/Typed Here|Thank you for your response!/)
    expect(keys.length).toBeGreaterThan(AT_ONCE / 8)
    expect(new Set(keys).size).toBe(keys.length)
    expect(keys).not.toContain(undefined)
  })
})

describe('pages in open mode', () => {
  const site = testSite()

  it('are an administrator’s for everyone, and a visitor’s as soon as a password is set', async () => {
    const load = () => Promise.all(Array.from({ length: 16 }, () => ask(site(), 'GET /')))
    for (const { body } of [...(await load()), ...(await load())]) expect(body).toMatch(ADMINISTRATORS)
    await runRsvp(site(), ['password'], PASSWORD)
    for (const { body } of [...(await load()), ...(await load())]) {
      expect(body).not.toMatch(ADMINISTRATORS)
      expect(body).not.toContain('Open mode')
    }
  })
})
