import { beforeEach, expect, it } from 'vitest'
import { describeOnBothDatabases, testCall, testEvent } from '#db/fixtures.ts'
import { transaction } from '#db/storage/client.ts'
import { notMapLink } from './content.ts'
import { changeEvent, changeEventTexts, getEvent } from './operations.ts'
import { events } from './table.ts'

const call = testCall()
const given = {
  mapLink: 'https://maps.example/?q=12+Chapel+Road',
  contact: 'ana@church.example',
  whatToExpect: 'Park behind the hall.\nChildren are welcome.',
}

describeOnBothDatabases('the optional texts of the event', () => {
  beforeEach(async () => {
    await transaction((tx) => tx.delete(events))
  })

  it('are left out while they are empty', async () => {
    await changeEvent(testEvent({ mapLink: '', contact: ' ' }), call)
    expect(Object.keys((await getEvent(call)) ?? {})).toEqual(Object.keys(testEvent()))
  })

  it('come after the others', async () => {
    await changeEvent(testEvent(given), call)
    expect(Object.entries((await getEvent(call)) ?? {}).slice(7)).toEqual(Object.entries(given))
  })

  it('stay where the payload has none, and go where it has an empty one', async () => {
    await changeEvent(testEvent(given), call)
    expect(await changeEvent(testEvent({ time: '9 AM' }), call)).toMatchObject({
      event: testEvent({ ...given, time: '9 AM' }),
    })
    expect(await changeEvent(testEvent({ contact: ' ' }), call)).toEqual({
      event: testEvent({ mapLink: given.mapLink, whatToExpect: given.whatToExpect }),
      revision: expect.any(Number),
    })
    await changeEventTexts({ mapLink: '', whatToExpect: '' }, call)
    expect(await getEvent(call)).toEqual(testEvent())
  })

  it.each(['mapLink', 'contact', 'whatToExpect'] as const)('change one by one: %s', async (key) => {
    await changeEventTexts({ [key]: ` ${given[key]} ` }, call)
    expect(await getEvent(call)).toEqual(testEvent({ [key]: given[key] }))
  })

  it.each([
    'javascript:alert(1)',
    'JavaScript:alert(1)//https://maps.example',
    'java\nscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'file:///etc/passwd',
    'ftp://maps.example',
    '//maps.example',
    '/admin',
    'maps.example',
    'https:maps.example',
    'https://',
    'https:///',
    'https://[',
    'https://maps example',
    'https://maps.example/a\nb',
    'https://maps.example/a\r\n\thttps://evil.example',
    '12 Chapel Road',
  ])('refuse %o as a map link', async (mapLink) => {
    await expect(changeEventTexts({ mapLink }, call)).rejects.toMatchObject({
      code: 'invalid',
      fields: [{ path: 'mapLink', message: notMapLink }],
    })
    expect(await getEvent(call)).toBeNull()
  })
})
