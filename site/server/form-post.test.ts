import { describe, expect, it } from 'vitest'
import { ask, expectUnharmed, storedRsvps, testSite } from './fixtures.ts'

const headers = { 'content-type': 'application/x-www-form-urlencoded' }
const yes = 'page=%2Fshare&attending=true&name=Ana+Cole&email=ana%40cole.example&message=Two%0D%0Alines'
const no = yes.replace('true', 'false')

describe('the form without JavaScript', () => {
  const site = testSite()
  const post = (body: string) => ask(site(), 'POST /api/rsvp', { body, headers })
  const drawnAfter = async () =>
    /name="drawnAfter" value="([\w-]{43})"/.exec((await ask(site(), 'GET /share')).body)?.[1]

  it('stores a second press once, and every change of mind', async () => {
    for (const answer of [yes, no, yes]) {
      const body = `${answer}&drawnAfter=${await drawnAfter()}`
      for (const press of [1, 2])
        expect([press, await post(body)]).toMatchObject([
          press,
          { status: 303, headers: { location: '/share?thanks#rsvp-title' } },
        ])
    }
    const { body } = await ask(site(), 'GET /api/rsvps')
    const stored: { attending: boolean; message: string }[] = JSON.parse(body)
    expect(stored.map(({ attending }) => attending)).toEqual([true, false, true])
    expect(stored[0]?.message).toBe('Two\nlines')
  })

  it('stores the same answer again once the first one was deleted', async () => {
    const body = async () => `${yes.replace('Ana', 'Bea')}&drawnAfter=${await drawnAfter()}`
    await post(await body())
    const [first] = await storedRsvps(site())
    expect((await ask(site(), `DELETE /api/rsvps/${first?.id}`)).status).toBe(204)
    await post(await body())
    const [second] = await storedRsvps(site())
    expect([second?.name, Number(second?.id)]).toEqual(['Bea Cole', Number(first?.id) + 1])
  })

  it('refuses bytes that are not UTF-8', async () => {
    expect(await post(yes.replace('Ana', 'Jos%E9'))).toMatchObject({
      status: 400,
      body: expect.stringContaining('UTF-8'),
    })
    await expectUnharmed(site(), 4)
  })
})

describe('the address of older responses', () => {
  const site = testSite()

  it.each(['abc', '', '0', '-1', '1e9', '99999999999999999999'])('means nothing as ?before=%s', async (before) => {
    expect((await ask(site(), `GET /?before=${before}`)).status).toBe(200)
  })
})
