import { describe, expect, it } from 'vitest'
import { describeOnBothDatabases, testCall, testRsvp } from '#db/fixtures.ts'
import type { Call } from '#db/operation.ts'
import { rsvps } from '#db/rsvp/table.ts'
import { db, transaction } from '#db/storage/client.ts'
import { createRsvp, suspicionOf } from './submit.ts'

describe('suspicionOf', () => {
  it.each<[string | undefined, number | undefined, string | null, boolean?]>([
    [undefined, undefined, null],
    ['', undefined, null],
    ['', 2000, null],
    ['', 1999, 'too-fast'],
    ['', 0, 'too-fast'],
    [undefined, 1999, 'too-fast'],
    ['https://spam.example', undefined, 'hidden-field'],
    ['https://spam.example', 60_000, 'hidden-field'],
    ['https://spam.example', 10, 'hidden-field'],
    [' ', 60_000, 'hidden-field'],
    ['', 60_000, 'flood', true],
    ['', 1999, 'too-fast', true],
    ['x', 60_000, 'hidden-field', true],
  ])('of %j in the hidden field after %s ms is %s', (website, formAge, suspicion, flooded = false) => {
    expect(suspicionOf(website, formAge, flooded)).toBe(suspicion)
  })
})

describeOnBothDatabases('a response', () => {
  it.each<[Record<string, unknown>, Call['actor'], string | null]>([
    [{}, 'visitor', null],
    [{ website: '', formAge: 2000 }, 'visitor', null],
    [{ website: 'https://spam.example', formAge: 2000 }, 'visitor', 'hidden-field'],
    [{ formAge: 1999 }, 'visitor', 'too-fast'],
    [{ website: 'https://spam.example', formAge: 0 }, 'open mode', null],
    [{ formAge: 0 }, 'visitor', 'too-fast'],
    [{ website: 7 }, 'visitor', null],
    [{ website: null }, 'visitor', null],
  ])('with %j, sent by %s, is stored with the mark %s and never refused', async (sent, actor, suspicion) => {
    await transaction((tx) => tx.delete(rsvps))
    await createRsvp(testRsvp(sent), testCall({ administrator: false, actor }))
    expect(await db.select().from(rsvps)).toMatchObject([{ name: 'Ana Cole', suspicion }])
  })
})
