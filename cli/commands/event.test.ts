import { beforeEach, describe, expect, it } from 'vitest'
import { defaultEvent } from '#db/event/default-event.ts'
import { changeEvent, getEvent } from '#db/event/operations.ts'
import { getEventLanguages } from '#db/event/translations.ts'
import { testCall, testEvent } from '#db/fixtures.ts'
import { inDatabase, rsvp, rsvpDrawn, testDatabase } from '../fixtures.ts'

const { url } = testDatabase()
const call = testCall()
const harvest = testEvent({ title: 'Harvest Sabbath', eventTitle: 'Thanksgiving', location: 'By the lake' })

const event = (...words: string[]) => rsvp(url, ['event', ...words])
const stored = () => getEvent(call)
const linesOf = (texts: ReturnType<typeof testEvent>) =>
  [
    `Title\t${texts.title}\n`,
    `Subtitle\t${texts.subtitle}\n`,
    `Event title\t${texts.eventTitle}\n`,
    `Description\t${texts.description}\n`,
    `Date\t${texts.date}\n`,
    `Time\t${texts.time}\n`,
    `Location\t${texts.location}\n`,
  ].join('')

describe('rsvp event', () => {
  it('shows what visitors read while nothing is stored, and stores nothing', async () => {
    inDatabase(url, (database) => database.exec('DELETE FROM events'))
    expect(await event()).toEqual({ code: 0, signal: null, stdout: linesOf(testEvent()), stderr: '' })
    expect(JSON.parse((await event('--json')).stdout)).toEqual(testEvent())
    expect(await stored()).toBeNull()
  })

  it('changes what its options say, prints it as JSON, and turns an empty text into its default', async () => {
    await changeEvent(harvest, call)
    const changes = {
      title: 'a',
      subtitle: 'b',
      eventTitle: 'c',
      description: 'd',
      date: 'e',
      time: 'f',
      location: 'g',
    }
    const options = Object.entries(changes).flatMap(([key, text]) => [
      `--${key.replace('eventT', 'event-t')}`,
      `  New ${text} — ü 🎉  `,
    ])
    const { stdout, stderr } = await event(...options, '--json')
    expect([JSON.parse(stdout), stderr]).toEqual([await stored(), ''])
    const expected = Object.entries(changes).map(([key, text]) => [key, `New ${text} — ü 🎉`])
    expect(await stored()).toMatchObject(Object.fromEntries(expected))
    expect(await event('--title', '', '--location', ' ', '--quiet')).toMatchObject({ code: 0, stdout: '', stderr: '' })
    expect(await stored()).toMatchObject({
      title: defaultEvent.pageTitle,
      location: defaultEvent.location,
      time: 'New f — ü 🎉',
    })
  })

  it('shows the optional texts that are given, and removes them', async () => {
    await changeEvent(harvest, call)
    const given = { mapLink: 'https://maps.example/1', contact: '555-0100', whatToExpect: 'Coffee first.' }
    const forFirst = { parking: 'Behind the hall.', children: 'A room.' }
    const { stdout } = await event('--map-link', given.mapLink, '--contact', given.contact)
    expect(stdout).toBe(`${linesOf(harvest)}Map link\t${given.mapLink}\nContact\t${given.contact}\n`)
    const { stdout: json } = await event('--what-to-expect', given.whatToExpect, '--json')
    expect(JSON.parse(json)).toEqual({ ...harvest, ...given })
    await event('--parking', forFirst.parking, '--children', forFirst.children)
    expect(await stored()).toEqual({ ...harvest, ...given, ...forFirst })
    await event('--map-link', '', '--contact', ' ', '--what-to-expect', '', '--parking', '', '--children', '')
    expect(await stored()).toEqual(harvest)
  })

  const long = 'x'.repeat(2001)
  it.each([
    [['--map-link', 'javascript:alert(1)'], /^A map link begins with https:\/\/\. /],
    [['--description', long, '--time', 'noon'], /^The description may have at most 2,000 characters\.\nsee rsvp event/],
    [
      ['--title', long, '--date', long],
      /^The page title may have [^.]+\. The date may have at most 2,000 characters\.\n/,
    ],
    [['--remove'], /^Say in which language, e\.g\. `--language es`\.\n/],
    [['--role', 'Greeter=Bienvenida'], /^Say in which language/],
    [['--language', 'es', '--map-link', 'https://maps.example'], /^The map link is the same in every language\.\n/],
  ])('refuses %j, also what fits', async (words, sentence) => {
    await changeEvent(harvest, call)
    expect(await event(...words)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(sentence) })
    expect(await stored()).toEqual(harvest)
  })

  it('is drawn in a terminal, also after a change, line breaks kept', async () => {
    await changeEvent({ ...harvest, description: 'First\tline\nSecond line' }, call)
    const terminal = await rsvpDrawn(url, ['event', '--time', '9:30 AM'], { columns: 70 })
    expect(terminal.screen()).toMatch(/^Title {12}Harvest Sabbath\n/)
    expect(terminal.screen()).toMatch(/^Description {6}First line\n {17}Second line$/m)
    expect(terminal.screen()).toMatch(/^Time {13}9:30 AM$/m)
  })
})

describe('rsvp event --language', () => {
  const shownIn = async (language: string) => JSON.parse((await event('--language', language, '--json')).stdout)
  beforeEach(async () => {
    await event('--language', 'es', '--remove')
    await changeEvent(testEvent(), call)
  })

  it('changes the given texts of one language, keeps the others, shows both, and takes them back', async () => {
    expect((await event('--language', 'es', '--date', 'Cada sábado')).stdout).toBe('Date\tCada sábado\n')
    const { stdout } = await event('--language', 'es', '--time', ' 10 h ', '--what-to-expect', 'Estacione detrás.')
    expect(stdout).toBe('Date\tCada sábado\nTime\t10 h\nWhat to expect\tEstacione detrás.\n')
    const translated = { date: 'Cada sábado', time: '10 h', whatToExpect: 'Estacione detrás.' }
    expect(await shownIn('es')).toEqual(testEvent(translated))
    expect([await shownIn('de'), await stored()]).toEqual([testEvent(), testEvent()])
    await event('--language', 'es', '--date', '')
    expect((await shownIn('es')).date).toBe(testEvent().date)
    expect(await event('--language', 'es', '--remove')).toMatchObject({ code: 0, stdout: '' })
    expect(await shownIn('es')).toEqual(testEvent())
  })

  it('names roles, by their name or number', async () => {
    const words = ['--role', 'greeter=Bienvenida', '2=Ujier = guía', '--contact', 'Ana']
    const { stdout } = await event('--language', 'es', ...words)
    expect(stdout).toMatch(/Contact\tAna\n.*Role Greeter\tBienvenida\nRole Usher\tUjier = guía\n$/s)
    expect((await event('--language', 'es', '--role', 'Greeter=')).stdout).not.toContain('Greeter')
  })

  it.each([
    [['es', '--remove'], 3, /^The event is not translated into Español\. /],
    [['es', '--remove', '--time', '10 h'], 2, /^Give texts, or --remove, not both\.\n/],
    [['en', '--time', '10 h'], 2, /^The event itself is in English\. /],
    [['es', '--role', 'Greeter'], 2, /^Give --role as the role, =, and its name in this language: /],
    [['es', '--role', 'Choir=Coro'], 3, /^There is no role "Choir": see /],
    [['xx', '--time', '10 h'], 2, /^Name one of the languages of the site: en, es, /],
  ])('refuses %j', async (words, code, sentence) => {
    const refused = { code, stdout: '', stderr: expect.stringMatching(sentence) }
    expect(await event('--language', ...words)).toMatchObject(refused)
    expect((await getEventLanguages(call)).translations).toEqual([])
  })

  it('has the language of the event itself as a setting, none into which the event is translated', async () => {
    await event('--language', 'es', '--time', '10 h')
    const settings = (...words: string[]) => rsvp(url, ['settings', ...words])
    expect((await settings()).stdout).toContain('\neventLanguage\ten\t')
    expect(JSON.parse((await settings('event-language=ko', '--json')).stdout)).toMatchObject({ eventLanguage: 'ko' })
    const refused = await settings('eventLanguage=es')
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('translated into') })
    expect((await getEventLanguages(call)).language).toBe('ko')
  })
})
