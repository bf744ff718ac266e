import { beforeAll, describe, expect, it } from 'vitest'
import { testCall, testRsvp } from '#db/fixtures.ts'
import { getStatistics } from '#db/rsvp/counts.ts'
import { changeVolunteerRole } from '#db/rsvp/roles.ts'
import { createRsvp } from '#db/rsvp/submit.ts'
import { createVolunteerRole } from '#db/volunteer-role/operations.ts'
import { hostile, obeyed, rsvp, rsvpDrawn, testDatabase } from '../fixtures.ts'

const { url } = testDatabase()

beforeAll(async () => {
  const { id: stillOffered } = await createVolunteerRole({ name: hostile }, testCall())
  const family = [
    { name: 'Joel Cole', age: 'child' },
    { name: 'Ida Cole', age: 'child' },
    { name: 'Dina Cole', age: 'teen' },
    { name: 'Bo Cole', age: 'adult' },
    { name: 'Al Cole' },
    { name: 'Cy Cole', age: 'teen', attending: false },
  ]
  const responses = [
    { familyMembers: family, volunteerRoles: [1, 2, stillOffered] },
    { volunteerRoles: [2, 3] },
    { volunteerRoles: [2] },
    { attending: false, familyMembers: family, volunteerRoles: [1, 4] },
  ]
  for (const [visitor, response] of responses.entries())
    await createRsvp(testRsvp({ name: `Visitor ${visitor}`, ...response }), testCall())
  for (const id of ['3', '4']) await changeVolunteerRole({ id, retired: true }, testCall())
})

describe('rsvp stats in a pipe', () => {
  it('counts responses, people who come, and offers of people who come, also for a retired role', async () => {
    expect(await rsvp(url, ['stats'])).toEqual({
      code: 0,
      signal: null,
      stderr: '',
      stdout: [
        'Attending\t3\n',
        'Not Attending\t1\n',
        'People expected\t13\n',
        'Adults\t5\n',
        'Teens\t2\n',
        'Children\t4\n',
        'Age not said\t2\n',
        'Greeter\t1\n',
        'Usher\t3\n',
        'Music\t1\n',
        'Audio and Video\t0\n',
        'Fellowship Meal\t0\n',
        'Eve  Doe\t1\n',
      ].join(''),
    })
  })

  it('prints as JSON what is counted, and nothing that a terminal would obey', async () => {
    const { stdout, stderr } = await rsvp(url, ['stats', '--json', '--quiet'])
    expect([JSON.parse(stdout), stderr]).toEqual([await getStatistics({}, testCall()), ''])
    expect(stdout).not.toMatch(obeyed)
  })
})

describe('rsvp stats on a terminal', () => {
  it('prints the same in columns', async () => {
    const terminal = await rsvpDrawn(url, ['stats'])
    expect(terminal.screen()).toMatch(/^Attending {8}3\nNot Attending {4}1\nPeople expected {2}13\n/)
    expect(terminal.screen()).toMatch(/^Eve {2}Doe {9}1$/m)
  })
})
