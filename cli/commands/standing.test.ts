import { expect, it } from 'vitest'
import { testCall, testRsvp } from '#db/fixtures.ts'
import { createRsvp } from '#db/rsvp/submit.ts'
import { rsvp, rsvpDrawn, testDatabase } from '../fixtures.ts'

const { url } = testDatabase()
const standing = (...words: string[]) => rsvp(url, ['standing', ...words])

it('rsvp standing lists the households that come every week, keeps one, and ends some, all or none', async () => {
  await createRsvp(testRsvp({ name: 'Eva Kim', email: 'eva@kim.example', firstVisit: true }), testCall())
  await createRsvp(testRsvp({ phone: '555 0101', standing: true }), testCall())
  const household = '1\tAna Cole\tana@cole.example\t555 0101\t2025-01-11\t2025-01-05T14:00:00.000Z\t'
  expect((await standing()).stdout).toBe(`${household}2026-01-05T14:00:00.000Z\n`)
  const all = await rsvpDrawn(url, ['list', '--plain', '--week', 'all'])
  expect(all.screen()).toMatch(/↻ Ana Cole[\s\S]*★ Eva Kim/)
  expect((await rsvp(url, ['list', '--standing', '--week', 'all'])).stdout).not.toContain('Eva Kim')
  expect((await rsvp(url, ['show', '2'])).stdout).toContain('Comes every week\tyes')
  const missing = 'No household comes every week under number 7. It may have ended already.\n'
  const over = 'Number 1 no longer comes every week. What it said for services that are over stays.\n'
  const changes: [words: string[], code: number, stderr: string][] = [
    [['keep', '1'], 0, 'Number 1 still comes every week.\n'],
    [['end', '1', '7'], 3, missing],
    [['end', '1'], 0, over],
  ]
  for (const [words, code, stderr] of changes) expect(await standing(...words)).toMatchObject({ code, stderr })
  expect((await standing('list', '--json')).stdout).toBe('[]\n')
})
