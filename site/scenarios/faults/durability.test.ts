import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ask } from '#site/scenarios/fixtures.ts'
import { canary, holdLock, siteOn, storedIn, testPlace } from './fixtures.ts'

it('an acknowledged RSVP is in the file after kill -9, whole, while another process fights for the lock', async () => {
  const file = join(testPlace(), 'rsvp.db')
  const site = await siteOn(file)
  await holdLock(file, { holdMs: 30, pauseMs: 20 })
  const names = Array.from({ length: 60 }, (_, number) => `Canary ${number}`)
  const acknowledged: string[] = []
  async function visitor() {
    for (let name = names.shift(); name !== undefined; name = names.shift()) {
      // On a busy machine a client may have to retry, as the reply says: what was refused is not stored.
      for (let status = 0; status !== 201; ) {
        status = (await ask(site, 'POST /api/rsvp', { json: canary(name) })).status
        expect([201, 503]).toContain(status)
      }
      acknowledged.push(name)
    }
  }
  await Promise.all(Array.from({ length: 8 }, visitor))
  await site.kill()

  expect(acknowledged).toHaveLength(60)
  const expected = acknowledged.map((name) => ({ name, members: `${name} Junior`, roles: 2 }))
  const byName = (one: { name: string }, other: { name: string }) => one.name.localeCompare(other.name)
  expect(storedIn(file).toSorted(byName)).toEqual(expected.toSorted(byName))
})
