import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { inDatabase, makeDatabase, rsvp, rsvpInTerminal, testFolder } from '../fixtures.ts'

const { folder, url } = testFolder()
const file = url.slice('file:'.length)
const backup = join(folder, 'backup.db')
/** Set, so that a developer's own .env does not reach into these tests. */
const env = { ADMIN_PASSWORD: '', ADMIN_PASSWORD_FILE: '' }
const password = 'three quiet otters'

beforeAll(async () => {
  await makeDatabase(url)
  await rsvp(url, ['add', '--samples', '1'])
  inDatabase(url, (database) => {
    const insert = database.prepare(
      "INSERT INTO rsvps (key, name, email, attending, add_to_calendar, created_at) VALUES (?, 'Ana Cole', 'ana@cole.example', 1, 0, ?)",
    )
    for (const key of ['two', 'three']) insert.run(key, new Date(Date.now() - 1e10).toISOString())
    database.exec(`VACUUM INTO '${backup}'`)
  })
})

const digest = () => createHash('sha256').update(readFileSync(file)).digest('hex')

// The list of every command that asks, or that has a screen: a new one belongs here.
describe('keys that were typed before a question was to be seen', () => {
  it.each<[line: string, ahead: string, ready: RegExp, list?: RegExp]>([
    ['delete 2', 'y', /\(Ana Cole\) +y\/N/],
    ['merge', 'y', /newest of each\? +y\/N/],
    ['delete 2 3', '2\r', /Type 2, then enter: █/],
    // Before a list is read there is nothing in it to delete.
    ['delete', 'd\ry', /\(.+\)\ny\/N/, /^1 of 3$/m],
    ['list', 'adu3\r\u0015y', /Type 3, then enter: █/, /^1 of 3$/m],
    ['delete --erase ana@cole.example', '2\r', /Type 2, then enter: █/],
    [`backup restore ${backup}`, 'y', /Bring them back\? +y\/N/],
    ['delete --samples', 'y', /for good\? +y\/N/],
    ['settings retentionDays=90', 'y2\r', /y\/N|Type 2, then enter: █/],
    ['features', ' j\r ', /q quit/],
    ['password', `${password}\r${password}\r`, /New password,.+:/],
  ])('decide nothing in rsvp %s', async (line, ahead, ready, list) => {
    const before = digest()
    const terminal = rsvpInTerminal(url, line.split(' '), { env })
    if (list !== undefined) await terminal.shows(list)
    terminal.press(ahead)
    await terminal.shows(ready)
    terminal.press('\u0003')
    expect(await terminal.ended).toBe(130)
    expect(digest()).toBe(before)
  })
})

it.each(['delete 2 3', 'list'])('what is pasted into a question of rsvp %s is text, with its enter', async (line) => {
  const before = digest()
  const terminal = rsvpInTerminal(url, line.split(' '))
  if (line === 'list') {
    await terminal.shows(/^1 of 3$/m)
    terminal.press('ad')
  }
  await terminal.shows(/Type \d, then enter: █/)
  terminal.press('\u001b[200~y 2\r\u001b[201~')
  await terminal.shows(/Type \d, then enter: y 2█/)
  terminal.press('\u0003')
  expect(await terminal.ended).toBe(130)
  expect(digest()).toBe(before)
})

it('only the first of keys that arrive together counts', async () => {
  const before = digest()
  const terminal = rsvpInTerminal(url, ['delete', '2'])
  await terminal.shows('y/N')
  terminal.press('ny')
  expect(await terminal.ended).toBe(1)
  expect(digest()).toBe(before)
})
