import { describe, expect, it } from 'vitest'
import { ask, formKeyIn, storedRsvps, testSite } from '#site/scenarios/fixtures.ts'

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
