import { describe, expect, it } from 'vitest'
import { publicNameOf } from '#db/rsvp/names.ts'
import { latinNames } from './names-fixtures.ts'
import { otherNames } from './other-names-fixtures.ts'

const publicNames = { ...latinNames, ...otherNames }

describe('publicNameOf', () => {
  it.each(Object.entries(publicNames))('shows of names in %s no more than is safe', (_, names) => {
    const shown = names.map(([typed]) => [typed, publicNameOf(typed)])
    expect(shown).toEqual(names)
  })

  it('is held by more than 200 names of more than 20 languages', () => {
    expect(Object.keys(publicNames).length).toBeGreaterThan(20)
    expect(Object.values(publicNames).flat().length).toBeGreaterThan(200)
  })

  it('never shows the whole of a name', () => {
    for (const [typed, shown] of Object.values(publicNames).flat()) {
      const letters = (text: string) =>
        text
          .normalize('NFKC')
          .replace(/[^\p{L}\p{M}]/gu, '')
          .toLowerCase()
      // A visitor who types only an initial has shortened the name already.
      if (!/ C\.?$/.test(typed) && letters(typed).length > 2 && shown !== 'Guest')
        expect(letters(shown)).not.toBe(letters(typed))
    }
  })

  // What JavaScript takes for blank, and invisible characters: between pasted words they separate as well.
  const blanks =
    '\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000'
  const unseen = '\u00ad\u034f\u115f\u180e\u200b\u200c\u200d\u200e\u2060\u3164\ufe0f\ufeff\uffa0'
  it.each(Array.from(blanks + unseen, (sign) => [sign.charCodeAt(0).toString(16), sign]))(
    'is cut at U+%s',
    (_, sign) => {
      expect(publicNameOf(`Ana${sign}Cole`)).toBe('Ana C.')
    },
  )

  it('shows no more than a letter with two marks, however many stand on it', () => {
    expect(publicNameOf('Ana E\u0301toile')).toBe('Ana É.')
    for (const name of [
      `Ana C${'\u0301'.repeat(90)}ole`,
      `A${'\u0301'.repeat(90)}na Cole`,
      `श${'\u0947'.repeat(90)}क`,
    ]) {
      expect(publicNameOf(name).length).toBeLessThan(12)
    }
  })

  it('never ends with more than one letter, however many words there are', () => {
    for (const blank of [' ', '\u3000', '_', '.']) {
      expect(publicNameOf(Array(30).fill('Canary').join(blank))).toBe('C. C.')
    }
  })

  it('takes no longer for a name that is made to take long', () => {
    for (const part of ['Aa-', "A'", 'A\u0301', 'a b', '((', 'Де', '김']) {
      expect(publicNameOf(part.repeat(200)).length).toBeLessThan(12)
    }
  })
})
