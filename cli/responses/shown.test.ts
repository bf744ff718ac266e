import { describe, expect, it } from 'vitest'
import { leastRsvp } from '#db/rsvp/rsvp-fixtures.ts'
import { deletionText } from './shown.ts'

describe('deletionText', () => {
  const moment = '2025-01-06T03:00:00.000Z'
  it.each([
    ['Deleted on Jan 5, 2025', { deletedAt: moment }],
    ['Merged into 14 on Jan 5, 2025', { deletedAt: moment, mergedInto: 14 }],
    ['Withdrawn by the sender on Jan 5, 2025', { deletedAt: moment, changedAt: moment }],
  ])('says %s', (text, changes) => {
    expect(deletionText({ ...leastRsvp, ...changes }, 'America/Chicago')).toBe(text)
  })
})
