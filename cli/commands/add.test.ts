import { beforeEach, describe, expect, it } from 'vitest'
import { createRsvp } from '#db/rsvp/submit.ts'
import { type StoredRsvp, storedRsvps } from '#db/values/rsvp.ts'
import { testCall, testRsvp } from '#testing/database-fixtures.ts'
import { inDatabase, rsvp, testDatabase } from '../fixtures.ts'

const { url } = testDatabase()

const add = (...words: string[]) => rsvp(url, ['add', ...words])

/** All responses, oldest first. */
async function listed(): Promise<StoredRsvp[]> {
  return storedRsvps.parse(JSON.parse((await rsvp(url, ['list', '--json'])).stdout)).reverse()
}

beforeEach(() => inDatabase(url, (database) => database.exec('DELETE FROM rsvps')))

describe('rsvp add', () => {
  it('stores what its options say, and prints it as JSON', async () => {
    const family = ['--family', 'Joel Cole (child); Dina Cole (not attending)']
    const words = ['--name', 'Ana Cole', ...family, '--phone', '555 0101', '--role', 'usher', '3', '--json']
    const ended = await add(...words)
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

  it('needs only the name', async () => {
    const stderr = expect.stringMatching(/^Added response \d+\.\n$/)
    expect(await add('--name', 'Ana Cole')).toEqual({ code: 0, stdout: '', stderr })
    expect(await listed()).toMatchObject([{ name: 'Ana Cole', email: '', phone: null, message: null, attending: true }])
  })

  it.each([
    [['--name', 'A'], 2, 'Write the name with at least two letters.'],
    [['--name', 'Ana Cole', '--role', 'Juggler'], 3, 'There is no role "Juggler"'],
    [[], 2, 'Give a name, e.g. `rsvp add --name "Ana Cole"`.'],
  ])('refuses %j', async (words, code, sentence) => {
    expect(await add(...words)).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(sentence) })
    expect(await listed()).toEqual([])
  })
})

describe('rsvp add --samples', () => {
  const added = (count: number) => `Added ${count} sample responses. \`rsvp delete --samples\` removes them again.\n`

  it('adds exactly as many, dated one after the other over the last four weeks', async () => {
    expect(await add('--samples', '59')).toEqual({ code: 0, stdout: '', stderr: added(59) })
    expect(await add('--samples', '1', '--quiet')).toEqual({ code: 0, stdout: '', stderr: '' })
    const samples = await listed()
    expect(samples).toHaveLength(60)
    const moments = samples.slice(0, 59).map(({ createdAt }) => createdAt)
    expect(moments).toEqual(moments.toSorted())
    expect(Date.now() - Date.parse(String(moments[0]))).toBeGreaterThan(27 * 24 * 60 * 60 * 1000)
  })

  it('refuses where visitors have responded, unless forced; rsvp delete --samples removes only samples', async () => {
    await add('--samples', '20')
    await createRsvp(testRsvp(), testCall())
    const refused = expect.stringMatching(/^The database already has responses\. Add --force [^\n]+\n$/)
    expect(await add('--samples', '2')).toEqual({ code: 1, stdout: '', stderr: refused })
    expect(await add('--samples', '2', '--force')).toMatchObject({ code: 0, stderr: added(2) })
    const remove = (...words: string[]) => rsvp(url, ['delete', '--samples', ...words])
    const unasked = expect.stringMatching(/ add --yes [^\n]+\nsee rsvp delete --help\n$/)
    expect(await remove()).toEqual({ code: 2, stdout: '', stderr: unasked })
    expect(await remove('--yes')).toEqual({ code: 0, stdout: '', stderr: 'Removed 22 sample responses.\n' })
    expect(await listed()).toMatchObject([{ name: 'Ana Cole' }])
    expect(await remove()).toMatchObject({ code: 0, stderr: 'Removed 0 sample responses.\n' })
  })
})
