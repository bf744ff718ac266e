import { expect, it } from 'vitest'
import { addAdministrator } from '#db/fixtures.ts'
import { inDatabase, rsvp, testDatabase } from '../fixtures.ts'

const { url } = testDatabase()
const sessions = (...words: string[]) => rsvp(url, ['sessions', ...words])

it('rsvp sessions lists who is signed in, without what one could sign in with, and ends some or all', async () => {
  await addAdministrator({ id: 1 })
  inDatabase(url, (database) => {
    const columns = 'id, administrator_id, token_hash, created_at, used_at, browser'
    const insert = database.prepare(`INSERT INTO sessions (${columns}) VALUES (?, 1, ?, ?, ?, 'Firefox, Android')`)
    for (const id of [1, 2, 3]) insert.run(id, `hash ${id}`, Date.now() - id, Date.now() - id)
  })
  expect((await sessions()).stdout).toMatch(/^(?:[123](?:\t\d{4}-\S+Z){3}\tRuth Cole\tFirefox, Android\n){3}$/)
  const [listed] = JSON.parse((await sessions('--json')).stdout)
  expect(Object.keys(listed)).toEqual(['id', 'administrator', 'browser', 'createdAt', 'usedAt', 'endsAt'])
  const ends: [words: string[], code: number, stderr: string][] = [
    [['1', 'all'], 2, '"all" is not an id. An id is a whole number, e.g. 12.\nsee rsvp sessions --help\n'],
    [['99', '1', '1'], 3, 'Ended 1 session.\nNot found: 99.\n'],
    [['all'], 0, 'Ended 2 sessions.\n'],
    [['all'], 0, 'Ended 0 sessions.\n'],
  ]
  for (const [words, code, stderr] of ends)
    expect(await sessions('--end', ...words)).toMatchObject({ code, stdout: '', stderr })
})
