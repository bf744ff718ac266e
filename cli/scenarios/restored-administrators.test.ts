import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { inDatabase, rsvp, rsvpInTerminal, testResponses } from '../fixtures.ts'

const { folder, url } = testResponses(2)

it('a restore says at the question and afterwards who was removed since the backup', async () => {
  const backup = join(folder, 'before-removal.db')
  const change = (sql: string) => inDatabase(url, (database) => database.exec(sql))
  const restore = (...words: string[]) => rsvp(url, ['backup', 'restore', backup, ...words])
  change("INSERT INTO administrators (id, name, role, created_at) VALUES (3, 'Ruth Cole', 'clerk', 0)")
  copyFileSync(url.slice('file:'.length), backup)
  change('UPDATE administrators SET removed_at = 1')
  const told = 'Ruth Cole, removed since, is an administrator again. Remove them with `rsvp admins remove 3`.'
  const terminal = rsvpInTerminal(url, ['backup', 'restore', backup])
  await terminal.shows('Restore them? y/N')
  expect(terminal.screen()).toContain('Ruth Cole, removed since, is an administrator again.')
  terminal.press('n')
  expect(await terminal.ended).toBe(1)
  expect((await restore('--yes')).stderr).toContain(`${told}\n`)
  const again = await restore('--yes', '--json')
  expect(JSON.parse(again.stdout)).toMatchObject({ guarded: true, administratorsAgain: [] })
})
