import { beforeEach, describe, expect, it } from 'vitest'
import { inDatabase, rsvp, rsvpInTerminal, testDatabase } from '../fixtures.ts'

const { url } = testDatabase()

function stored() {
  return inDatabase(url, (database) =>
    database.prepare('SELECT id, name, email, phone, message, attending, service_date AS day FROM rsvps').all(),
  )
}
const familyOf = () =>
  inDatabase(url, (database) => database.prepare('SELECT name, age, attending FROM family_members').all())

beforeEach(() => inDatabase(url, (database) => database.exec('DELETE FROM rsvps')))

describe('rsvp add', () => {
  it('stores what its options say, and prints it as JSON', async () => {
    const words = [
      '--name',
      'Ana Cole',
      '--family',
      'Joel Cole (child); Dina Cole (not attending)',
      '--phone',
      '555 0101',
    ]
    const ended = await rsvp(url, ['add', ...words, '--role', 'usher', '3', '--json'])
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(ended.stdout)).toMatchObject({
      ...{ name: 'Ana Cole', email: '', phone: '555 0101', message: null, attending: true, suspicion: null },
      familyMembers: [
        { name: 'Joel Cole', age: 'child', attending: true },
        { name: 'Dina Cole', age: null, attending: false },
      ],
      volunteerSignups: [{ role: { name: 'Usher' } }, { role: { name: 'Music' } }],
    })
  })

  it('says its number and no more', async () => {
    const ended = await rsvp(url, ['add', '--name', 'Ana Cole', '--no-attending'])
    const [response] = stored()
    expect(response).toMatchObject({ name: 'Ana Cole', attending: 0 })
    expect(ended).toEqual({ code: 0, signal: null, stdout: '', stderr: `Added response ${response?.id}.\n` })
  })

  it.each([
    [['--name', 'A'], 2, 'Name is required'],
    [['--name', 'Ana Cole', '--email', 'ana@'], 2, 'Invalid email address'],
    [['--name', 'Ana Cole', '--role', 'Juggler'], 3, 'There is no role "Juggler"'],
    [['--name', 'Ana Cole', '--week', '2020-01-04'], 2, 'There is no service on Saturday, January 4 of 2020'],
    [[], 2, 'Give a name, e.g. `rsvp add --name "Ana Cole"`.'],
  ])('refuses %j', async (words, code, sentence) => {
    const ended = await rsvp(url, ['add', ...words])
    expect(ended).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(sentence) })
    expect(stored()).toEqual([])
  })

  it('asks for what is not given, and only the name is needed', async () => {
    const terminal = rsvpInTerminal(url, ['add', '--message', 'By telephone'], { columns: 120 })
    const replies = { Name: 'Ana Cole', 'Dina Cole': 'Joel Cole (child)', Phone: '', Email: '' }
    for (const [question, reply] of Object.entries(replies)) {
      await terminal.shows(`${question}: █`)
      terminal.press(`${reply}\r`)
    }
    expect(await terminal.ended).toBe(0)
    expect(stored()).toMatchObject([
      { name: 'Ana Cole', email: '', phone: null, message: 'By telephone', attending: 1 },
    ])
    expect(familyOf()).toMatchObject([{ name: 'Joel Cole', age: 'child', attending: 1 }])
  })
})
