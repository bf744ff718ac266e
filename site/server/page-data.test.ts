import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fileDatabase, testCall, testRsvp } from '#db/fixtures.ts'
import { openDatabase } from '#db/open.ts'
import { createRsvp } from '#db/rsvp/submit.ts'
import { changeSettings } from '#db/settings/operations.ts'
import { closeDatabase, openedDatabase, setConnection } from '#db/storage/client.ts'
import { loadPrivacyPage, loadRsvpPage } from './page-data.ts'

const database = fileDatabase()
const visitor = testCall({ administrator: false, actor: 'visitor' })
let statements = 0

beforeAll(async () => {
  await openDatabase(database.url)
  for (let number = 0; number < 20; number += 1) await createRsvp(testRsvp(), testCall())
  const opened = openedDatabase()
  setConnection({
    ...opened,
    read: (statement) => {
      statements += 1
      return opened.read(statement)
    },
  })
})
afterAll(async () => {
  await closeDatabase()
  database.stop()
})

async function countOf(load: () => Promise<unknown>): Promise<number> {
  statements = 0
  await load()
  return statements
}

describe('the statements of a page', () => {
  it.each(['none', 'counts', 'initial', 'full'])(
    'do not grow with what it shows, with names %s',
    async (publicNames) => {
      await changeSettings({ publicNames }, testCall())
      expect(await countOf(() => loadRsvpPage(visitor, { shared: true }))).toBeLessThanOrEqual(10)
      expect(await countOf(() => loadRsvpPage(visitor, { shared: false }))).toBeLessThanOrEqual(10)
      expect(await countOf(() => loadPrivacyPage(visitor))).toBe(2)
    },
  )
})
