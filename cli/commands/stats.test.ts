import { beforeAll, expect, it } from 'vitest'
import { getStatistics } from '#db/rsvp/counts.ts'
import { createVolunteerRole } from '#db/rsvp/roles.ts'
import { createRsvp } from '#db/rsvp/submit.ts'
import { testCall, testRsvp } from '#testing/database-fixtures.ts'
import { hostile, obeyed, rsvp, testDatabase } from '../fixtures.ts'
import { rsvpDrawn } from '../terminal-fixtures.ts'

const { url } = testDatabase()

beforeAll(async () => {
  const { id } = await createVolunteerRole({ name: hostile }, testCall())
  const family = [
    { name: 'Joel Cole', age: 'child' },
    { name: 'Dina Cole', age: 'teen' },
    { name: 'Al Cole' },
    { name: 'Cy Cole', attending: false },
  ]
  await createRsvp(testRsvp({ familyMembers: family, volunteerRoles: [1, 2, id] }), testCall())
  await createRsvp(testRsvp({ name: 'Eva Kim', attending: false }), testCall())
})

it('rsvp stats counts responses, people who come, and offers of people who come', async () => {
  const { code, stdout, stderr } = await rsvp(url, ['stats'])
  expect([code, stderr]).toEqual([0, ''])
  const counts =
    'Attending 1|Not Attending 1|People expected 4|Adults 1|Teens 1|Children 1|Age not said 1|Greeter 1|Usher 1'
  expect(stdout.replaceAll('\t', ' ')).toMatch(new RegExp(`^${counts.replaceAll('|', '\n')}\nMusic 0\n`))
  expect(stdout).toMatch(/\nEve {2}Doe\t1\n$/)
  const json = await rsvp(url, ['stats', '--json', '--quiet'])
  expect([JSON.parse(json.stdout), json.stderr]).toEqual([await getStatistics({}), ''])
  expect(json.stdout).not.toMatch(obeyed)
  const terminal = await rsvpDrawn(url, ['stats'])
  expect(terminal.screen()).toMatch(/^Attending {9}1\nNot Attending {5}1\nPeople expected {3}4\n/)
})
