/** Whatever separates words, also what nobody sees. */
const SEPARATORS = /[\p{White_Space}\p{Default_Ignorable_Code_Point}/._]+/u
const SUFFIX = /^(jr|sr|ii|iii|iv)$/i
/** Scripts that write the family name first, and no blank. */
const WITHOUT_BLANKS = /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]{2,}$/u
const letters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** First name and last initial, as in `Ana C.` for `Ana María Cole` or `Cole, Ana`: what strangers may read of a name. */
export function publicNameOf(name: string): string {
  // Behind a bracket stands a remark, often on a child; behind an @ the rest of an address.
  const [person = ''] = name.normalize('NFC').split(/[(（@]/u, 1)
  const [family = '', given = ''] = person.split(/[,，]/u)
  const [first, ...others] = wordsOf(`${given} ${family}`)
  if (first === undefined) return `${initialOf(name)}.`
  const last = others.at(-1)
  if (last !== undefined) return `${first} ${initialOf(last)}.`
  return WITHOUT_BLANKS.test(first) ? `${initialOf(first)}.` : first
}

function wordsOf(text: string): string[] {
  return text.split(SEPARATORS).filter((word) => word !== '' && !SUFFIX.test(word))
}

/** The first letter as people see it, with what stands above and below it. */
function initialOf(word: string): string {
  const [first] = letters.segment(word.trim())
  return first?.segment ?? ''
}
