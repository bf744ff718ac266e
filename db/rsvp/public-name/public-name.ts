import {
  familyNameEndings,
  familyNames,
  folded,
  householdWords,
  knownEndings,
  particles,
  patronymicEndings,
  shortFirstNames,
  suffixes,
  titles,
} from './name-words.ts'

/** Shown instead of a name without letters, e.g. a telephone number. */
const NAMELESS = 'Guest'
const WORDS_MAXIMUM = 6

/** Whatever separates words, invisible characters as well. */
const BLANKS = /[\p{White_Space}\p{Default_Ignorable_Code_Point}]+/u
/** Characters before a remark, often about a child, or before the rest of an address. */
const REMARK = /[([{<（［｛＜「『【《〈@＠]/u
const WORD = /\p{L}[\p{L}\p{M}’'ʼ‐‑-]*/gu
/** Scripts that write the family name first, and no blank. */
const WITHOUT_BLANKS =
  /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\u30fc\uff70]/u
/** Letters of Vietnamese and Hungarian, which put the family name first. */
const FAMILY_NAME_FIRST = /[\u01a0\u01a1\u01af\u01b0\u1ea0-\u1ef9őŰűŐ]|\p{L}{4}né(?!\p{L})/u
const ALPHABETS = [/^[\p{Script=Latin}\P{L}]+$/u, /^[\p{Script=Cyrillic}\P{L}]+$/u, /^[\p{Script=Greek}\P{L}]+$/u]

/** A first name as it is written: Ana, Mary-Ann, LaToya, Мар’яна. */
const FIRST_NAME = /^(?:La|Le|De|Da|Jo)?\p{Lu}\p{M}?(?:\p{Ll}\p{M}?|(?<=\p{Ll}\p{M}?)[’'-]\p{L}){1,19}$/u
/** A last name, of which no more than the first letter is shown: Cole, O’Neil, McDonald, C. */
const LAST_NAME = /^\p{Lu}\p{M}*(?:\.?|[\p{L}\p{M}’'-]*\p{Ll}[\p{L}\p{M}’'-]*)$/u

const CASED = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}]/u
/** Other forms of letters, e.g. full-width ones. */
const FORMS = /[\uff00-\uffef\u{1d400}-\u{1d7ff}]/u
/** Made for the first name: it takes 10 ms, and most commands show none. */
let graphemes: Intl.Segmenter | undefined

/**
 * What visitors may read of a name: first name and last initial, e.g. `Ana C.` for `Ana María Cole`, where it is written as
 * such names are; initials for everything else. `public-name-fixtures.ts` shows what that means.
 * Whenever it shows less than before, raise `PUBLIC_NAME_RULE`.
 */
export function publicNameOf(name: string): string {
  const typed = name.normalize('NFC').split(BLANKS).filter(Boolean)
  const words = withoutSuffix(typed)
  const [first = '', last = ''] = [words[0], words.at(-1)]
  return isFirstNameFirst(words) ? `${first} ${initialOf(last)}.` : initialsOf(typed.join(' '))
}

function withoutSuffix(words: string[]): string[] {
  return words.length > 2 && suffixes.has(folded(words.at(-1) ?? '')) ? words.slice(0, -1) : words
}

/** Whether the words are a first name, perhaps more, and a last name, as far as that can be told. */
function isFirstNameFirst(words: string[]): boolean {
  const [first, ...others] = words
  const last = others.pop()
  if (first === undefined || last === undefined || words.length > WORDS_MAXIMUM) return false
  const whole = words.join(' ').replace(/[ʼʻ]/g, '’')
  if (FAMILY_NAME_FIRST.test(whole) || FORMS.test(whole) || words.some(isNoName)) return false
  if (!FIRST_NAME.test(first.replace(/[ʼʻ]/g, '’')) || !LAST_NAME.test(last)) return false
  if (!others.every((word) => particles.has(folded(word)) || LAST_NAME.test(word))) return false
  const alphabet = ALPHABETS.findIndex((letters) => letters.test(whole))
  if (particles.has(folded(first)) && (others.length > 0 || !shortFirstNames.has(folded(first)))) return false
  return alphabet === 0 ? !isFamilyName(first) : alphabet > 0 && isKnownOrder(first, others, last)
}

/** In these alphabets many put the family name first, and many do not. */
function isKnownOrder(first: string, others: string[], last: string): boolean {
  if (knownEndings.test(folded(first)) || patronymicEndings.test(folded(last))) return false
  return knownEndings.test(folded(last)) || patronymicEndings.test(folded(others.at(-1) ?? ''))
}

function isFamilyName(word: string): boolean {
  return familyNames.has(folded(word)) || familyNameEndings.test(folded(word))
}

function isNoName(word: string): boolean {
  return titles.has(folded(word)) || householdWords.has(folded(word)) || suffixes.has(folded(word))
}

function initialsOf(text: string): string {
  const [person = ''] = text.split(REMARK, 1)
  const found = person.match(WORD) ?? text.match(WORD) ?? []
  // A single M at the front is a French Monsieur.
  const names = found.filter((word, place) => !isNoName(word) && !(place === 0 && found.length > 1 && word === 'M'))
  const [first, ...others] = names.length > 0 ? names : found
  const last = others.at(-1)
  if (first === undefined) return NAMELESS
  // The first letter of a Chinese, Japanese or Korean name begins the family name; with a second one it may be whole.
  if (last === undefined || WITHOUT_BLANKS.test(person)) return `${initialOf(first)}.`
  return `${initialOf(first)}. ${initialOf(last)}.`
}

/** The first letter with its accents. */
function initialOf(word: string): string {
  graphemes ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  const [grapheme, another] = Array.from(graphemes.segment(word), ({ segment }) => segment)
  const [letter = '', ...marks] = Array.from(grapheme ?? '')
  // Of a word of one grapheme only its letter is shown, otherwise at most two of its accents.
  const initial = letter + (another === undefined ? '' : marks.slice(0, 2).join(''))
  const plain = FORMS.test(initial) ? initial.normalize('NFKC') : initial
  return CASED.test(plain) ? plain.toUpperCase() : plain
}
