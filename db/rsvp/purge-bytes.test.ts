import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fileDatabase, testCall, testRsvp } from '#db/fixtures.ts'
import { openDatabase } from '#db/open.ts'
import { deleteRsvps, eraseRsvps } from '#db/rsvp/delete.ts'
import { listRsvps, responsesOf } from '#db/rsvp/list.ts'
import { anonymizeOldRsvps, eraseOldDeletions } from '#db/rsvp/purge.ts'
import { createRsvp } from '#db/rsvp/submit.ts'
import { closeDatabase } from '#db/storage/client.ts'

const call = testCall()
const later = testCall({ now: new Date('2025-06-01T00:00:00Z') })
const email = 'canary@cole.example'

let database: ReturnType<typeof fileDatabase>

/** How often a canary occurs in the database file and in the files beside it. */
function canaries(): number {
  const files = readdirSync(database.folder).map((name) => readFileSync(join(database.folder, name), 'latin1'))
  return files.join('').match(/canary/gi)?.length ?? 0
}

/** Long and short messages, so that some fill pages of their own; two of three RSVPs are kept. */
async function fill() {
  const lengths = Array.from({ length: 150 }, (_, count) => count)
  await Promise.all(
    lengths.map((count) => {
      const message = `${count % 3 === 0 ? 'canary' : 'others'} `.repeat(1 + ((count * 7) % 280))
      const names = count % 3 === 0 ? { email, name: 'Canary Cole', familyMembers: [{ name: 'Canary Child' }] } : {}
      const idempotencyKey = `${names.name ?? 'Ana Cole'} ${count}`
      return createRsvp({ ...testRsvp({ message, ...names }), idempotencyKey }, call)
    }),
  )
}

beforeEach(async () => {
  database = fileDatabase()
  await openDatabase(database.url)
  await fill()
})
afterEach(async () => {
  await closeDatabase()
  database.stop()
})

describe('an erased text is not in the file', () => {
  it('once it is erased', async () => {
    expect(canaries()).toBeGreaterThan(0)
    expect(await eraseRsvps({ email }, call)).toBe(50)
    expect(canaries()).toBe(0)
  })

  it('once its deletion is too old', async () => {
    const ids = responsesOf(await listRsvps({ email }, call)).map(({ id }) => id)
    await deleteRsvps({ ids }, call)
    expect(canaries()).toBeGreaterThan(0)
    expect(await eraseOldDeletions(later)).toBe(50)
    expect(canaries()).toBe(0)
  })

  it('once it is made anonymous', async () => {
    expect(await anonymizeOldRsvps({ days: 90 }, later)).toBe(150)
    expect(canaries()).toBe(0)
  })
})
