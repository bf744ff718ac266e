import { afterAll, afterEach, describe, expect, it } from 'vitest'
import type { Language } from '#db/values/languages.ts'
import ar from './ar.json' with { type: 'json' }
import { dayText, formatDay, listText, weekdayName } from './dates.ts'
import de from './de.json' with { type: 'json' }
import es from './es.json' with { type: 'json' }
import { clockText, closingText } from './schedule.ts'
import { currentTexts, plural, setCurrentTexts, type Texts, t } from './texts.ts'

/** Restored at the end, because other test files of this process use it. */
const before = currentTexts
const english: Texts = { language: 'en', catalogue: {} }

function speaking(language: Language, { visitors, administration, server }: typeof es): void {
  const catalogue = { ...server, ...visitors, ...administration }
  setCurrentTexts(() => ({
    language,
    catalogue,
    roles: { language: 'en', names: { Parking: 'Parkplatz', 'Audio and Video': 'Ton und Video' } },
  }))
}

afterEach(() => setCurrentTexts(() => english))
afterAll(() => setCurrentTexts(before))

describe('a text', () => {
  it('is the key itself in English, with its values', () => {
    expect(t('Submit RSVP')).toBe('Submit RSVP')
    expect(t('Thank you, {name}', { name: '{day} <b>' })).toBe('Thank you, {day} <b>')
    expect(plural(1, '{count} person', '{count} people')).toBe('1 person')
    expect(plural(1200, '{count} person', '{count} people')).toBe('1,200 people')
  })

  it('is that of the catalogue in other languages, or English if the catalogue has none', () => {
    speaking('es', es)
    expect(t('Submit RSVP')).toBe('Enviar respuesta')
    expect(t('Thank you, {name}', { name: 'Ana' })).toBe('Gracias, Ana')
    expect(t('Not in any catalogue: {x}', { x: 1 })).toBe('Not in any catalogue: 1')
  })

  it('has the plural form of its number', () => {
    speaking('ar', ar)
    const people = [0, 1, 2, 3, 11, 100].map((count) => plural(count, '{count} person', '{count} people'))
    expect(new Set(people).size).toBe(6)
    expect(people[3]).toContain('3')
  })

  it('keeps the order of Latin letters among Arabic letters', () => {
    speaking('ar', ar)
    expect(t('Thank you, {name}', { name: 'Ana' })).toContain('\u2068Ana\u2069')
  })
})

describe('days and times', () => {
  it('are written in American English', () => {
    expect([dayText('2026-11-21'), weekdayName(6)]).toEqual(['Saturday, November 21', 'Saturday'])
    expect(formatDay('2025-01-05T14:00:00Z', 'UTC')).toBe('Jan 5, 2025')
    expect([listText(['Ana', 'Ben', 'Cy']), clockText('18:30')]).toEqual(['Ana, Ben, and Cy', '6:30 PM'])
    expect([null, 0, 120, 90, 1441].map(closingText)).toEqual([
      'when the service ends',
      'when the service starts',
      '2 hours before the service starts',
      '1 hour 30 minutes before the service starts',
      '1 day 1 minute before the service starts',
    ])
  })

  it('are written as usual in the language, with Latin digits', () => {
    speaking('de', de)
    expect([dayText('2026-11-21'), clockText('18:30')]).toEqual(['Samstag, 21. November', '18:30'])
    speaking('ar', ar)
    expect(dayText('2026-11-21')).toContain('21')
  })
})
