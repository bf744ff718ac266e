import { expect, it } from 'vitest'
import { testCall, testRsvp } from '#db/fixtures.ts'
import { getRsvp } from '#db/rsvp/list.ts'
import { createRsvp } from '#db/rsvp/submit.ts'
import { rsvp, testDatabase } from '../fixtures.ts'

const { url } = testDatabase()

it('rsvp edit changes what its options say, keeps the rest, and takes away an empty text', async () => {
  const family = [{ name: 'Joel Cole', age: 'child' as const }, { name: 'Dina Cole' }]
  const everything = { phone: '555 0100', message: 'Soon', familyMembers: family, volunteerRoles: [2, 3] }
  const id = String((await createRsvp(testRsvp(everything), testCall())).id)
  const edit = (...words: string[]) => rsvp(url, ['edit', ...words])
  const stored = () => getRsvp({ id }, testCall())
  for (const [words, code, sentence] of [
    [[id], 2, 'Say what to change, e.g. `rsvp edit 12 --phone "555 0101"`.'],
    [[id, '--email', 'ana@'], 2, 'Invalid email address'],
    [['999', '--name', 'Ana Roe'], 3, 'There is no such response. It may have been deleted already.'],
  ] as const)
    expect(await edit(...words)).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(sentence) })
  expect(await stored()).toMatchObject({ name: 'Ana Cole', changedAt: null })

  const told = `Changed response ${id}. Family members still expected: 2. Use --family to say who is coming.\n`
  expect(await edit(id, '--no-attending')).toEqual({ code: 0, signal: null, stdout: '', stderr: told })
  const { stdout } = await edit(
    id,
    '--attending',
    '--family',
    'Lea Roe (teen)',
    '--role',
    'usher',
    '--phone',
    '',
    '--json',
  )
  expect(JSON.parse(stdout)).toEqual(await stored())
  expect(await stored()).toMatchObject({
    ...{ name: 'Ana Cole', attending: true, phone: null, message: 'Soon' },
    familyMembers: [{ name: 'Lea Roe', age: 'teen', attending: true }],
    volunteerSignups: [{ role: { id: 2, name: 'Usher' } }],
  })
})
