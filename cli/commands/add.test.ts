import { beforeEach, describe, expect, it } from 'vitest'
import { createRsvp } from '#db/rsvp/submit.ts'
import { type StoredRsvp, storedRsvps } from '#db/values/rsvp.ts'
import { testCall, testRsvp } from '#testing/database-fixtures.ts'
import { inDatabase, rsvp, testDatabase } from '../fixtures.ts'

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

  it.each([
    [['--name', 'A'], 2, 'Write the name with at least two letters.'],
    [['--name', 'Ana Cole', '--role', 'Juggler'], 3, 'There is no role "Juggler"'],
    [[], 2, 'Give a name, e.g. `rsvp add --name "Ana Cole"`.'],
  ])('refuses %j', async (words, code, sentence) => {
    const ended = await rsvp(url, ['add', ...words])
    expect(ended).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(sentence) })
    expect(stored()).toEqual([])
  })

  it('needs only the name', async () => {
    expect(await rsvp(url, ['add', '--name', 'Ana Cole'])).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^Added response \d+\.\n$/),
    })
    expect(stored()).toMatchObject([{ name: 'Ana Cole', email: '', phone: null, message: null, attending: 1 }])
  })
})

/** All responses, oldest first. */
async function listed(): Promise<StoredRsvp[]> {
  return storedRsvps.parse(JSON.parse((await rsvp(url, ['list', '--json'])).stdout)).reverse()
}

const added = (count: number) => `Added ${count} sample responses. \`rsvp delete --samples\` removes them again.\n`

describe('rsvp add --samples', () => {
  const add = (...words: string[]) => rsvp(url, ['add', '--samples', ...words])

  it('adds exactly as many, as if they had come in one after the other during the last four weeks', async () => {
    expect(await add('59')).toEqual({ code: 0, signal: null, stdout: '', stderr: added(59) })
    expect(await add('1', '--quiet')).toMatchObject({ code: 0, stdout: '', stderr: '' })
    const samples = await listed()
    const moments = samples.slice(0, 59).map(({ createdAt }) => createdAt)
    expect(moments).toEqual(moments.toSorted())
    expect(Date.now() - Date.parse(String(moments[0]))).toBeGreaterThan(27 * 24 * 60 * 60 * 1000)
    expect(samples.filter(({ email }) => !email.endsWith('@sample.example'))).toEqual([])
    expect(samples).toHaveLength(60)
  })

  it('refuses where visitors have responded, unless forced; delete --samples takes them all away, and only them', async () => {
    await add('20')
    await createRsvp(testRsvp({ familyMembers: [{ name: 'Joel Cole' }] }), testCall())
    const { code, stdout, stderr } = await add('2')
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^The database already has responses\. Add --force [^\n]+\n$/)
    expect(await add('2', '--force')).toMatchObject({ code: 0, stderr: added(2) })
    const remove = (...words: string[]) => rsvp(url, ['delete', '--samples', ...words])
    const unasked = expect.stringMatching(/ add --yes [^\n]+\nsee rsvp delete --help\n$/)
    expect(await remove()).toMatchObject({ code: 2, stdout: '', stderr: unasked })
    expect(await remove('--yes')).toMatchObject({ code: 0, stdout: '', stderr: 'Removed 22 sample responses.\n' })
    expect(await listed()).toMatchObject([{ name: 'Ana Cole', familyMembers: [{ name: 'Joel Cole' }] }])
    expect(familyOf()).toHaveLength(1)
    expect(await remove()).toMatchObject({ code: 0, stderr: 'Removed 0 sample responses.\n' })
  })
})
