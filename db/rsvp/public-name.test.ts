import { describe, expect, it } from 'vitest'
import { publicNameOf } from './public-name.ts'

const family = '👨‍👩‍👧‍👦'

describe('publicNameOf', () => {
  it.each([
    ['Ana Cole', 'Ana C.'],
    ['Ana', 'Ana'],
    ['Ana Maria Cole', 'Ana C.'],
    ['Ana Maria de la Cruz Cole', 'Ana C.'],
    ['  Ana   Cole  ', 'Ana C.'],
    ['Ana C', 'Ana C.'],
    ['Ana C.', 'Ana C.'],
    ['Ana Cole.', 'Ana C.'],
    ['ana cole', 'ana c.'],
    ['Anna Anna', 'Anna A.'],
    ['Ana Cole-Smith', 'Ana C.'],
    ['Ana O’Neil', 'Ana O.'],
    ['Cole, Ana', 'Ana C.'],
    ['Cole, Ana Maria', 'Ana C.'],
    ['de la Cruz, Ana', 'Ana C.'],
    ['Cole,', 'Cole'],
    [', Ana', 'Ana'],
    ['김，민수', '민수 김.'],
    ['Ana/Joel Cole', 'Ana C.'],
    ['ana_cole', 'ana c.'],
    ['ana.cole', 'ana c.'],
    ['ana.cole@cole.example', 'ana c.'],
    ['@cole', '@.'],
    ['Ana Cole Jr.', 'Ana C.'],
    ['Ana Cole SR', 'Ana C.'],
    ['Ana Cole II', 'Ana C.'],
    ['Ana Cole iii', 'Ana C.'],
    ['Ana Cole IV', 'Ana C.'],
    ['Ana Jrcole', 'Ana J.'],
    ['Ana Colejr', 'Ana C.'],
    ['Ana Cole (with Canary, 4)', 'Ana C.'],
    ['Ana (Canary)', 'Ana'],
    ['Ana （Canary）', 'Ana'],
    ['(Canary)', '(.'],
    [' (Canary)', '(.'],
    ['', '.'],
    ['Jr.', 'J.'],
  ])('of %j is %j', (name, short) => {
    expect(publicNameOf(name)).toBe(short)
  })

  it.each([
    ['김 민수', '김 민.'],
    ['김민수', '김.'],
    ['田中\u3000花子', '田中 花.'],
    ['田中花子', '田.'],
    ['たなか', 'た.'],
    ['タナカ', 'タ.'],
    ['민', '민'],
    ['김ana', '김ana'],
    ['ana김민수', 'ana김민수'],
    ['김민수ana', '김민수ana'],
    ['محمد علي', 'محمد ع.'],
    ['محمد', 'محمد'],
    ['Ana Álvarez', 'Ana Á.'],
    ['Ana A\u0301lvarez', 'Ana Á.'],
    ['Ana E\u0301\u0323toile', 'Ana Ẹ\u0301.'],
    ['Ana क्षत्रिय', 'Ana क्ष.'],
    ['Ana 😀 Cole', 'Ana C.'],
    ['Ana 😀ole', 'Ana 😀.'],
    ['Ana 🇰🇷🇰🇷', 'Ana 🇰🇷.'],
    ['Ana \'"); DROP TABLE rsvps;--', 'Ana r.'],
    ['<b>Ana</b> <i>Cole</i>', '<b>Ana< i.'],
  ])('of %j, in any script, is %j', (name, short) => {
    expect(publicNameOf(name)).toBe(short)
  })

  it.each(['Cole', 'Canary'])('keeps the whole of a single word: %s', (name) => {
    expect(publicNameOf(name)).toBe(name)
  })

  // What JavaScript takes for blank, and what nobody sees: a person who pastes one has written two words.
  const blanks =
    '\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000'
  const unseen = '\u00ad\u034f\u115f\u180e\u200b\u200c\u200d\u200e\u2060\u3164\ufe0f\ufeff\uffa0'
  it.each(Array.from(blanks + unseen, (sign) => [sign.charCodeAt(0).toString(16), sign]))(
    'is cut at U+%s',
    (_, sign) => {
      expect(publicNameOf(`Ana${sign}Cole`)).toBe('Ana C.')
    },
  )

  it('never ends with more than one letter, however many words there are', () => {
    for (const blank of [' ', '\u3000', '_', '.']) {
      expect(publicNameOf(Array(50).fill('Canary').join(blank))).toBe('Canary C.')
    }
    expect(publicNameOf(`${family} Cole`)).toMatch(/C\.$/)
  })
})
