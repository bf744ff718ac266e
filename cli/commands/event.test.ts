import { expect, it } from 'vitest'
import { getEvent } from '#db/event/operations.ts'
import { testCall, testEvent } from '#db/fixtures.ts'
import { rsvp, testDatabase } from '../fixtures.ts'

const { url } = testDatabase()
const event = (...words: string[]) => rsvp(url, ['event', ...words])
const inSpanish = (...words: string[]) => event('--language', 'es', ...words)

it('rsvp event shows and changes the texts, also those in another language, and takes them back', async () => {
  expect(JSON.parse((await event('--json')).stdout)).toEqual(testEvent())
  const { stdout } = await event('--event-title', 'Harvest', '--location', ' ', '--map-link', 'https://maps.example/1')
  expect(stdout).toMatch(/^Title\t.+\nEvent title\tHarvest\n.+\nMap link\thttps:\/\/maps\.example\/1\n$/s)
  const stored = testEvent({ eventTitle: 'Harvest', mapLink: 'https://maps.example/1' })
  expect(await getEvent(testCall())).toEqual(stored)
  const words = ['--date', 'Cada sábado', '--role', 'greeter=Bienvenida']
  expect((await inSpanish(...words)).stdout).toBe('Date\tCada sábado\nRole Greeter\tBienvenida\n')
  expect(JSON.parse((await inSpanish('--json')).stdout)).toMatchObject({ ...stored, date: 'Cada sábado' })
  expect(await inSpanish('--remove')).toMatchObject({ code: 0, stdout: '' })
  expect(JSON.parse((await inSpanish('--json')).stdout)).toEqual(stored)
})

it.each([
  [['--map-link', 'javascript:alert(1)'], 2, /^A map link begins with https:\/\/\. /],
  [['--description', 'x'.repeat(2001), '--time', 'noon'], 2, /^The description may have at most 2,000 characters\.\n/],
  [['--role', 'Greeter=Bienvenida'], 2, /^Say in which language, e\.g\. `--language es`\.\n/],
  [['--language', 'es', '--remove'], 3, /^The event is not translated into Español\. /],
  [['--language', 'es', '--role', 'Choir=Coro'], 3, /^There is no role "Choir": see /],
  [['--language', 'xx', '--time', '10 h'], 2, /^Name one of the languages of the site: en, es, /],
])('rsvp event refuses %j, also what fits', async (words, code, sentence) => {
  const before = await getEvent(testCall())
  expect(await event(...words)).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(sentence) })
  expect(await getEvent(testCall())).toEqual(before)
})
