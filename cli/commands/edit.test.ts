import { describe, expect, it } from 'vitest'
import { testCall, testRsvp } from '#db/fixtures.ts'
import { getRsvp } from '#db/rsvp/list.ts'
import { createRsvp } from '#db/rsvp/submit.ts'
import { rsvp, testDatabase } from '../fixtures.ts'

const { url } = testDatabase()

/** The number of a new response that says everything. */
async function store(): Promise<string> {
  const family = [{ name: 'Joel Cole', age: 'child' as const }, { name: 'Dina Cole' }]
  const everything = { phone: '555 0100', message: 'Soon', familyMembers: family, volunteerRoles: [2, 3] }
  return String((await createRsvp(testRsvp(everything), testCall())).id)
}
const stored = (id: string) => getRsvp({ id }, testCall())

describe('rsvp edit', () => {
  it('changes what its options say, keeps the rest, and prints it as JSON', async () => {
    const id = await store()
    const before = await stored(id)
    const words = ['--name', 'Ana Roe', '--family', 'Lea Roe (teen)', '--role', 'usher', '--phone', '555 0101']
    const ended = await rsvp(url, ['edit', id, ...words, '--json'])
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(ended.stdout)).toEqual({
      ...before,
      ...{ name: 'Ana Roe', phone: '555 0101', changedAt: expect.any(String) },
      familyMembers: [{ name: 'Lea Roe', age: 'teen', attending: true }],
      volunteerSignups: [{ role: { id: 2, name: 'Usher' } }],
    })
    expect(JSON.parse(ended.stdout)).toEqual(await stored(id))
  })

  it('says its number, and who of the family still comes where its sender does not', async () => {
    const id = await store()
    const ended = await rsvp(url, ['edit', id, '--no-attending'])
    const family = 'Family members still expected: 2. Use --family to say who is coming.'
    expect(ended).toEqual({ code: 0, signal: null, stdout: '', stderr: `Changed response ${id}. ${family}\n` })
    expect(await stored(id)).toMatchObject({ name: 'Ana Cole', attending: false, message: 'Soon' })
    expect(await rsvp(url, ['edit', id, '--attending', '--quiet'])).toMatchObject({ code: 0, stderr: '' })
    expect(await stored(id)).toMatchObject({ attending: true })
  })

  it('takes away what is given as an empty text', async () => {
    const id = await store()
    const words = ['--family', '', '--phone', '', '--email', '', '--message', '']
    expect(await rsvp(url, ['edit', id, ...words])).toMatchObject({ code: 0 })
    expect(await stored(id)).toMatchObject({ email: '', phone: null, message: null, familyMembers: [] })
  })

  it.each([
    [[], 2, 'Say what to change, e.g. `rsvp edit 12 --phone "555 0101"`.'],
    [['--email', 'ana@'], 2, 'Invalid email address'],
  ])('refuses %j and changes nothing', async (words, code, sentence) => {
    const id = await store()
    const ended = await rsvp(url, ['edit', id, ...words])
    expect(ended).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(sentence) })
    expect(await stored(id)).toMatchObject({ name: 'Ana Cole', changedAt: null })
  })

  it('ends with 3 where there is no such response', async () => {
    expect(await rsvp(url, ['edit', '999', '--name', 'Ana Roe'])).toMatchObject({
      code: 3,
      stdout: '',
      stderr: 'There is no such response. It may have been deleted already.\n',
    })
  })
})
