import { describe, expect, it } from 'vitest'
import { identityOf } from './identity.ts'

/** Spellings of one name. */
const sameNames = [
  ['José Núñez', 'JOSÉ NÚÑEZ', 'José Núñez'.normalize('NFD')],
  ['Жанна Ким', 'жанна ким'],
  ["O'Brien Pat", 'O’Brien Pat', 'O＇Brien Pat', 'O｀Brien Pat'],
  ['D‘Angelo Pat', 'DʼAngelo Pat', 'D`Angelo Pat', 'D´Angelo Pat'],
  ['Mary-Ann Lind', 'Mary‐Ann Lind', 'Mary‑Ann Lind', 'Mary–Ann Lind', 'Mary－Ann Lind', 'Mary—Ann Lind'],
  ['Ruth Lind', 'Ruth  \u00a0 Lind', '\u200fRuth Lind\u200e', 'Ru\u200bth\ufeff Li\u00adnd', 'Ｒｕｔｈ　Ｌｉｎｄ'],
  ['Jörg Groß', 'JÖRG GROSS', 'JÖRG GROẞ'],
  ['Νίκος Παππάς', 'ΝΊΚΟΣ ΠΑΠΠΆΣ'],
  ['İbrahim Yılmaz', 'İBRAHİM YILMAZ', 'ibrahim yilmaz'],
  ['علی\u200cرضا کریمی', 'علیرضا کریمی'],
  ['ז׳אן כהן', "ז'אן כהן"],
  ['ﬁona Lind', 'Fiona Lind'],
  ['Ａｎａ ﾔﾏﾀﾞ', 'Ana ヤマダ'],
  ['علي كريم', 'علی کریم'],
  ['مصطفى علي', 'مصطفي على'],
  ['محمد', 'محـــمد'],
  ['Γιώργος', 'Γιώργοσ'],
  ['Ταΐς', 'ΤΑΪ́Σ'],
  ['Արամ Եղիազարյան', 'ԱՐԱՄ ԵՂԻԱԶԱՐՅԱՆ'],
]

/** Different names. */
const otherNames = [
  ['Ruth Lind', 'Lind Ruth'],
  ['Ruth Lind', 'Ruth M. Lind'],
  ['Zoe Lind', 'Zoë Lind'],
  ['Ruth Lind', 'RuthLind'],
  ['Mary-Ann Lind', 'Mary Ann Lind'],
  ['김민수', '김민서'],
  ['Γιώργος', 'Γιωργος'],
]

describe('identityOf', () => {
  it.each(sameNames)('is the same for %j and %j', (...names) => {
    expect(new Set(names.map(identityOf)).size).toBe(1)
  })

  it.each(otherNames)('differs for %j and %j', (one, other) => {
    expect(identityOf(other)).not.toBe(identityOf(one))
  })

  it('is its own identity, in every script', () => {
    for (const name of [...sameNames, ...otherNames].flat()) expect(identityOf(identityOf(name))).toBe(identityOf(name))
  })
})
