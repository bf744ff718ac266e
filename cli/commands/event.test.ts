import { describe, expect, it } from 'vitest'
import { defaultEvent } from '#db/event/default-event.ts'
import { changeEvent, getEvent } from '#db/event/operations.ts'
import { testCall, testEvent } from '#db/fixtures.ts'
import { rsvp, rsvpInTerminal, testDatabase } from '../fixtures.ts'

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

describe('rsvp event, while nothing is stored', () => {
  it('shows what visitors read then, and stores nothing', async () => {
    expect(await event()).toEqual({ code: 0, signal: null, stdout: linesOf(testEvent()), stderr: '' })
    expect(JSON.parse((await event('--json')).stdout)).toEqual(testEvent())
    expect(await stored()).toBeNull()
  })

  it('stores the texts that are given and the defaults of the others', async () => {
    const { code, stdout, stderr } = await event('--date', 'Saturday, December 5', '--time', '9:30 AM')
    const expected = testEvent({ date: 'Saturday, December 5', time: '9:30 AM' })
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: linesOf(expected), stderr: '' })
    expect(await stored()).toEqual(expected)
  })
})

describe('rsvp event', () => {
  it.each([
    ['--title', 'title'],
    ['--subtitle', 'subtitle'],
    ['--event-title', 'eventTitle'],
    ['--description', 'description'],
    ['--date', 'date'],
    ['--time', 'time'],
    ['--location', 'location'],
  ] as const)('changes with %s only the %s', async (option, key) => {
    await changeEvent(harvest, call)
    const { code, stdout, stderr } = await event(option, '  New — ü 🎉  ', '--json')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(await stored()).toEqual({ ...harvest, [key]: 'New — ü 🎉' })
    expect(JSON.parse(stdout)).toEqual(await stored())
  })

  it('shows the optional texts that are given, and removes them', async () => {
    await changeEvent(harvest, call)
    const given = { mapLink: 'https://maps.example/1', contact: '555-0100', whatToExpect: 'Coffee first.' }
    const { stdout } = await event('--map-link', given.mapLink, '--contact', given.contact)
    expect(stdout).toBe(`${linesOf(harvest)}Map link\t${given.mapLink}\nContact\t${given.contact}\n`)
    const { stdout: json } = await event('--what-to-expect', given.whatToExpect, '--json')
    expect(JSON.parse(json)).toEqual({ ...harvest, ...given })
    await event('--map-link', '', '--contact', ' ', '--what-to-expect', '')
    expect(await stored()).toEqual(harvest)
  })

  it('refuses a map link that is no page of the web', async () => {
    await changeEvent(harvest, call)
    expect(await event('--map-link', 'javascript:alert(1)')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^A map link begins with https:\/\/\. /),
    })
    expect(await stored()).toEqual(harvest)
  })

  it('turns an empty text into its default', async () => {
    await changeEvent(harvest, call)
    expect(await event('--title', '', '--location', ' ')).toMatchObject({ code: 0 })
    expect(await stored()).toEqual({
      ...harvest,
      title: defaultEvent.pageTitle,
      location: defaultEvent.location,
    })
  })

  it('takes 2,000 characters and refuses 2,001, then also what fits', async () => {
    await changeEvent(harvest, call)
    const long = 'x'.repeat(2000)
    expect(await event('--description', long, '--quiet')).toEqual({
      code: 0,
      signal: null,
      stdout: '',
      stderr: '',
    })
    expect(await stored()).toEqual({ ...harvest, description: long })

    expect(await event('--description', `${long}x`, '--time', 'noon')).toEqual({
      code: 2,
      signal: null,
      stdout: '',
      stderr: expect.stringMatching(/^The description may have at most 2,000 characters\.\nsee rsvp event --help\n$/),
    })
    expect(await stored()).toEqual({ ...harvest, description: long })
  })

  it('names every text that does not fit', async () => {
    const { code, stderr } = await event('--title', 'x'.repeat(2001), '--date', 'x'.repeat(2001))
    expect(code).toBe(2)
    expect(stderr).toBe(
      'The page title may have at most 2,000 characters. The date may have at most 2,000 characters.\nsee rsvp event --help\n',
    )
  })
})

describe('what the event is shown as', () => {
  const awkward = testEvent({ title: 'Red \u001b[31malert\u001b[0m', description: 'First\tline\nSecond line' })

  it('is one line for each text in a pipe, and exactly what is stored in JSON', async () => {
    await changeEvent(awkward, call)
    const shown = { ...awkward, title: 'Red alert', description: 'First line Second line' }
    expect((await event()).stdout).toBe(linesOf(shown))
    const { stdout } = await event('--json')
    expect(JSON.parse(stdout)).toEqual(awkward)
  })

  it('is drawn in a terminal, long texts beside their label, line breaks kept', async () => {
    const long = 'Come as you are and stay a while with us afterwards. '.repeat(3).trim()
    await changeEvent({ ...awkward, subtitle: long }, call)
    const terminal = rsvpInTerminal(url, ['event'], { columns: 70 })
    expect(await terminal.ended).toBe(0)
    const lines = terminal.screen().split('\n')
    expect(lines[0]).toBe('Title            Red alert')
    expect(lines[1]).toMatch(/^Subtitle {9}Come as you are/)
    expect(lines[2]).toMatch(/^ {17}\S/)
    const description = lines.indexOf('Description      First line')
    expect(lines[description + 1]).toBe('                 Second line')
    expect(terminal.screen()).toMatch(/^Location {9}123 Main Street, Springfield$/m)
  })

  it('is drawn after a change as well', async () => {
    await changeEvent(harvest, call)
    const terminal = rsvpInTerminal(url, ['event', '--time', '9:30 AM'])
    expect(await terminal.ended).toBe(0)
    expect(terminal.screen()).toMatch(/^Time {13}9:30 AM$/m)
    expect(terminal.screen()).toMatch(/^Event title {6}Thanksgiving$/m)
  })
})
