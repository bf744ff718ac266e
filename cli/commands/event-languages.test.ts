import { describe, expect, it } from 'vitest'
import { changeEvent, getEvent } from '#db/event/operations.ts'
import { getEventLanguages } from '#db/event/translations.ts'
import { testCall, testEvent } from '#db/fixtures.ts'
import { rsvp, testDatabase } from '../fixtures.ts'

const { url } = testDatabase()
const call = testCall()
const event = (...words: string[]) => rsvp(url, ['event', ...words])
const shownIn = async (language: string) => JSON.parse((await event('--language', language, '--json')).stdout)

describe('rsvp event --language', () => {
  it('changes the given texts of one language, keeps the others, and shows both', async () => {
    await changeEvent(testEvent(), call)
    expect(await event('--language', 'es', '--date', 'Cada sábado')).toMatchObject({
      code: 0,
      stdout: 'Date\tCada sábado\n',
    })
    const { stdout } = await event('--language', 'es', '--time', ' 10 h ', '--what-to-expect', 'Estacione detrás.')
    expect(stdout).toBe('Date\tCada sábado\nTime\t10 h\nWhat to expect\tEstacione detrás.\n')
    expect(await shownIn('es')).toEqual(
      testEvent({ date: 'Cada sábado', time: '10 h', whatToExpect: 'Estacione detrás.' }),
    )
    expect([await shownIn('de'), await getEvent(call)]).toEqual([testEvent(), testEvent()])
  })

  it('names roles, by their name or number', async () => {
    const { stdout } = await event(
      '--language',
      'es',
      '--role',
      'greeter=Bienvenida',
      '2=Ujier = guía',
      '--contact',
      'Ana',
    )
    expect(stdout).toMatch(/Contact\tAna\n.*Role Greeter\tBienvenida\nRole Usher\tUjier = guía\n$/s)
    expect((await event('--language', 'es', '--role', 'Greeter=')).stdout).not.toContain('Greeter')
    await event('--language', 'es', '--role', '2=', '--contact', '')
  })

  it('takes an empty text back, and all of them', async () => {
    await event('--language', 'es', '--date', '')
    expect((await shownIn('es')).date).toBe(testEvent().date)
    expect(await event('--language', 'es', '--remove')).toMatchObject({ code: 0, stdout: '' })
    expect(await shownIn('es')).toEqual(testEvent())
  })

  it.each([
    [['es', '--remove'], 3, /^The event is not translated into Español\. /],
    [['es', '--remove', '--time', '10 h'], 2, /^Give texts, or --remove, not both\.\n/],
    [['en', '--time', '10 h'], 2, /^The event itself is in English\. /],
    [['es', '--role', 'Greeter'], 2, /^Give --role as the role, =, and its name in this language: /],
    [['es', '--role', 'Choir=Coro'], 3, /^There is no role "Choir": see /],
    [['xx', '--time', '10 h'], 2, /^Name one of the languages of the site: en, es, /],
  ])('refuses %j', async (words, code, stderr) => {
    expect(await event('--language', ...words)).toMatchObject({
      code,
      stdout: '',
      stderr: expect.stringMatching(stderr),
    })
    expect((await getEventLanguages(call)).translations).toEqual([])
  })
})

describe('the language of the event itself', () => {
  it('is a setting, and none into which the event is translated', async () => {
    await event('--language', 'es', '--time', '10 h')
    const settings = (...words: string[]) => rsvp(url, ['settings', ...words])
    expect((await settings()).stdout).toContain('\neventLanguage\ten\t')
    expect(JSON.parse((await settings('event-language=ko', '--json')).stdout)).toMatchObject({ eventLanguage: 'ko' })
    const refused = await settings('eventLanguage=es')
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('translated into') })
    expect((await getEventLanguages(call)).language).toBe('ko')
  })

  it.each([
    [['--remove'], /^Say in which language, e\.g\. `--language es`\.\n/],
    [['--role', 'Greeter=Bienvenida'], /^Say in which language/],
    [['--language', 'es', '--map-link', 'https://maps.example'], /^The map link is the same in every language\.\n/],
  ])('goes without %j', async (words, stderr) => {
    expect(await event(...words)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(stderr) })
  })
})
