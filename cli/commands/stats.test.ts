import { beforeAll, expect, it } from 'vitest'
import { getStatistics } from '#db/rsvp/counts.ts'
import { createVolunteerRole } from '#db/rsvp/roles.ts'
import { createRsvp } from '#db/rsvp/submit.ts'
import { testCall, testRsvp } from '#testing/database-fixtures.ts'
import { hostile, obeyed, rsvp, testDatabase } from '../fixtures.ts'
import { rsvpDrawn } from '../terminal-fixtures.ts'

const { url } = testDatabase()

beforeAll(async () => {
  const { id: stillOffered } = await createVolunteerRole({ name: hostile }, testCall())
  const family = [
    { name: 'Joel Cole', age: 'child' },
    { name: 'Dina Cole', age: 'teen' },
    { name: 'Al Cole' },
    { name: 'Cy Cole', attending: false },
  ]
  const responses = [{ familyMembers: family, volunteerRoles: [1, 2, stillOffered] }, { attending: false }]
  for (const [visitor, response] of responses.entries())
    await createRsvp(testRsvp({ name: `Visitor ${visitor}`, ...response }), testCall())
})

it('rsvp stats counts responses, people who come, and offers of people who come', async () => {
  const rows = [
    ['Attending', '1'],
    ['Not Attending', '1'],
    ['People expected', '4'],
    ['Adults', '1'],
    ['Teens', '1'],
    ['Children', '1'],
    ['Age not said', '1'],
    ['Greeter', '1'],
    ['Usher', '1'],
  ]
  const ended = await rsvp(url, ['stats'])
  expect(ended).toMatchObject({ code: 0, stderr: '' })
  expect(ended.stdout).toMatch(new RegExp(`^${rows.map((row) => row.join('\t')).join('\n')}\nMusic\t0\n`))
  expect(ended.stdout).toMatch(/\nEve {2}Doe\t1\n$/)
  const { stdout, stderr } = await rsvp(url, ['stats', '--json', '--quiet'])
  expect([JSON.parse(stdout), stderr]).toEqual([await getStatistics({}), ''])
  expect(stdout).not.toMatch(obeyed)
  const terminal = await rsvpDrawn(url, ['stats'])
  expect(terminal.screen()).toMatch(/^Attending {9}1\nNot Attending {5}1\nPeople expected {3}4\n/)
})
