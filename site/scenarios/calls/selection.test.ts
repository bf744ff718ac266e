import { expect, it } from 'vitest'
import { testRsvp } from '#db/fixtures.ts'
import { ask, describeSiteOnBothDatabases, expectProblem, type Site } from '#site/scenarios/fixtures.ts'

describeSiteOnBothDatabases('a selection', (site) => {
  it('is found, deleted and brought back by what matches', async () => {
    const sent = [
      { name: 'José Cole' },
      { name: 'Eva Kim', attending: false },
      { name: 'Joel Cole', volunteerRoles: [2] },
    ]
    for (const changes of sent) await ask(site(), 'POST /api/rsvp', { json: testRsvp(changes) })
    expect(await namesOf(site(), '?q=jose')).toEqual(['José Cole'])
    expect(await namesOf(site(), '?role=2')).toEqual(['Joel Cole'])
    expect(await namesOf(site(), '?suspicious=true')).toEqual([])
    expect(await namesOf(site(), '?q=cole&status=attending&limit=1')).toEqual(['Joel Cole'])
    const { body } = await ask(site(), 'GET /api/rsvps/download?q=JOSE')
    expect(body).toMatch(/José Cole/)
    expect(body).not.toMatch(/Eva|Joel/)

    const { body: page } = await ask(site(), 'GET /admin?status=attending')
    const fingerprint = Number(/fingerprint&quot;:\[0,(\d+)\]/.exec(page)?.[1])
    const json = { status: 'attending', newest: 3, count: 2, fingerprint }
    expectProblem(await ask(site(), 'POST /api/rsvps/delete', { json: { ...json, count: 1 } }), 412)
    expectProblem(await ask(site(), 'POST /api/rsvps/delete', { json: { ...json, fingerprint: 1 } }), 412)
    expectProblem(await ask(site(), 'POST /api/rsvps/delete', { json: { status: 'attending' } }), 400)
    const deleted = await ask(site(), 'POST /api/rsvps/delete', { json })
    expect(deleted.status).toBe(200)
    const { deletedAt, ...counts } = JSON.parse(deleted.body)
    expect(counts).toEqual({ changed: 2, left: 0 })
    expect(await namesOf(site(), '')).toEqual(['Eva Kim'])
    const restored = await ask(site(), 'POST /api/rsvps/restore', { json: { deletedAt } })
    expect(JSON.parse(restored.body)).toEqual({ changed: 2, left: 0 })
    expect(await namesOf(site(), '')).toHaveLength(3)
  })
})

async function namesOf(site: Site, query: string): Promise<string[]> {
  const { body } = await ask(site, `GET /api/rsvps${query}`)
  return JSON.parse(body).map(({ name }: { name: string }) => name)
}
