import { join } from 'node:path'
import pLimit from 'p-limit'
import { expect, it } from 'vitest'
import type { StoredRsvp } from '#db/values/rsvp.ts'
import { testRsvp } from '#testing/database-fixtures.ts'
import { startBuiltServer } from '../../scripts/testing/built-server.mjs'
import { rsvp, rsvpProcess } from '../fixtures.ts'

const COUNT = 100
const AT_ONCE = 16
const family = (name: string) =>
  testRsvp({ name, email: `${name.replace(' ', '.')}@visitor.example`, familyMembers: [{ name: `${name} Junior` }] })

it('the command line and the site on one file lose no RSVP and refuse none under concurrent load', async () => {
  await using site = await startBuiltServer()
  const url = `file:${join(site.folder, 'rsvp.db')}`
  const acknowledged: string[] = []
  const inTurn = pLimit(AT_ONCE)

  /** Posts RSVPs, `AT_ONCE` at a time. @returns the statuses of the replies. */
  function postAll(kind: string): Promise<number[]> {
    return inTurn.map(
      Array.from({ length: COUNT }, (_, number) => `${kind} ${number}`),
      async (name) => {
        const headers = { 'content-type': 'application/json' }
        const body = JSON.stringify(family(name))
        const { status } = await fetch(`${site.url}/api/rsvp`, { method: 'POST', headers, body })
        if (status === 201) acknowledged.push(name)
        return status
      },
    )
  }

  /** Lists all responses, and checks that each is there once, with its family. */
  async function listed(...words: string[]): Promise<StoredRsvp[]> {
    const { code, stdout, stderr } = await rsvp(url, ['list', '--week', 'all', '--json', ...words])
    expect([code, stderr]).toEqual([0, ''])
    const responses: StoredRsvp[] = JSON.parse(stdout)
    expect(new Set(responses.map(({ id }) => id)).size).toBe(responses.length)
    expect(responses.filter(({ name, familyMembers }) => familyMembers[0]?.name !== `${name} Junior`)).toEqual([])
    return responses
  }

  /** Deletes most responses with one command, and the others with a shorter one at the same time. */
  async function deleteAll(ids: string[]): Promise<void> {
    const parts = [ids.slice(0, 60), ids.slice(60)]
    const ended = await Promise.all(parts.map((part) => rsvpProcess(url, ['delete', '--yes', ...part])))
    expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual(
      parts.map(({ length }) => [0, `Deleted ${length} responses.\n`]),
    )
  }

  await postAll('Old')
  const old = (await listed()).map(({ id }) => String(id))
  let working = true
  const work = Promise.all([postAll('New'), deleteAll(old)]).finally(() => {
    working = false
  })
  while (working) {
    const before = acknowledged.filter((name) => name.startsWith('New'))
    const names = new Set((await listed()).map(({ name }) => name))
    expect(before.filter((name) => !names.has(name))).toEqual([])
  }
  expect((await work)[0]).toEqual(Array(COUNT).fill(201))
  const left = await listed()
  expect(left.map(({ name }) => name).sort()).toEqual(Array.from({ length: COUNT }, (_, n) => `New ${n}`).sort())
  expect(await (await fetch(`${site.url}/api/rsvps`)).json()).toEqual(left)
  expect((await listed('--deleted')).map(({ id }) => String(id)).toSorted()).toEqual(old.toSorted())
  expect(site.output()).not.toContain('"level"')
})
