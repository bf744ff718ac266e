import { describe, expect, it } from 'vitest'
import { inLanguage } from '#site/server/language.ts'
import { comingDayText } from './schedule.ts'

describe('comingDayText', () => {
  it.each([
    ['2026-11-28', 'Today, Saturday, November 28'],
    ['2026-11-27', 'This Saturday, November 28'],
    ['2026-11-22', 'This Saturday, November 28'],
    ['2026-11-21', 'Saturday, November 28'],
  ])('on %s is %s', (today, text) => {
    expect(comingDayText('2026-11-28', today).replace('\u00a0', ' ')).toBe(text)
  })

  it.each([
    ['es', 'Este sábado, 28_de_noviembre'],
    ['fr', 'Ce samedi 28_novembre'],
    ['de', 'Diesen Samstag, 28._November'],
    ['ko', '다가오는 11월_28일_토요일'],
  ] as const)('in %s keeps the number of the day and the month in one line', async (language, text) => {
    const written = await inLanguage(language, () => comingDayText('2026-11-28', '2026-11-25'))
    expect(written.replaceAll('\u00a0', '_')).toBe(text)
  })
})
