import { expect, it } from 'vitest'
import { testCall } from '#db/fixtures.ts'
import { listEveryVolunteerRole } from '#db/volunteer-role/operations.ts'
import { rsvp, rsvpDrawn, testDatabase } from '../fixtures.ts'

const { url } = testDatabase()
const roles = (...words: string[]) => rsvp(url, ['roles', ...words])
const every = () => listEveryVolunteerRole(testCall())

it('rsvp roles lists, adds, renames, needs, retires and offers again, by name in any capitals or by number', async () => {
  const changes: [words: string[], stderr: string][] = [
    [['  Parking ', '--add', '--needed', '3'], 'Parking is offered now.\n'],
    [['parking', '--name', 'Car Park'], 'Parking is called Car Park now.\n'],
    [['7', '--needed', '1'], 'Car Park is for 1 person at each service now.\n'],
    [['CAR PARK', '--retire'], 'Car Park is no longer offered. `rsvp roles 7 --offer` offers it again.\n'],
  ]
  for (const [words, stderr] of changes)
    expect(await roles(...words)).toEqual({ code: 0, signal: null, stdout: '', stderr })
  expect((await roles()).stdout).toMatch(/^1\tGreeter\toffered\tnone\n(.+\n)*7\tCar Park\tretired\t1\n$/)
  expect(JSON.parse((await roles('7', '--offer', '--json')).stdout)).toMatchObject({ id: 7, needed: 1 })
  const listed = JSON.parse((await roles('--json')).stdout)
  expect(listed).toEqual(await every())
  expect(listed[6]).toMatchObject({ name: 'Car Park', retired: false })
  expect((await rsvpDrawn(url, ['roles'])).screen()).toMatch(/^Id +Role +State +Needed\n1 +Greeter +offered +none\n/)
  for (const name of ['Ana Cole', 'Bea Cole'])
    await rsvp(url, ['add', '--name', name, '--role', 'usher', '--week', 'next'])
  expect((await roles('usher', '--needed', '1')).stderr).toMatch(/\nUsher on .+: 2 of 1, 1 more than needed\.\n$/)
})

it.each([
  [['uSHER', '--add'], 2, 'There is a role named uSHER already. Give this one another name.'],
  [['Greeter', '--needed', '0'], 2, 'Give a whole number from 1 up, or none.'],
  [['Greeter'], 2, 'Say what to change, e.g. `rsvp roles Greeter --needed 3`.'],
  [['Greeter', '--retire', '--offer'], 2, 'cannot be used with option'],
  [['Unknown', '--name', 'Anything'], 3, 'There is no role "Unknown": see `rsvp roles`.'],
])('rsvp roles refuses %j with %i, and changes nothing', async (words, code, sentence) => {
  const before = await every()
  expect(await roles(...words)).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(sentence) })
  expect(await every()).toEqual(before)
})
