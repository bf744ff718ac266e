/** Invisible characters, and the Arabic letter that only stretches a word. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}\u0640]+/gu
const BLANKS = /[\p{White_Space}\p{Cc}]+/gu
/** Replaced before NFKC, which would turn some of them into a blank and an accent. */
const APOSTROPHES = /['’‘‛ʼʻʽʹʾʿˈˊˋ`´′‵＇｀᾽᾿՚׳ꞌꞋ❛❜]/gu
const HYPHENS = /[\p{Dash_Punctuation}−˗⁃]/gu

/**
 * A form of a name that is the same for different spellings, e.g. `JOSÉ  NÚÑEZ` and `José Núñez`, `O’Brien` and `O'Brien`.
 * Accents and the order of words count. Only for comparing; names are shown as typed.
 */
export function identityOf(name: string): string {
  const plain = name.replace(INVISIBLE, '').replace(APOSTROPHES, "'").normalize('NFKC').replace(HYPHENS, '-')
  // Lower, upper and lower case again, because only that makes ß and SS, or ς and σ, equal. The dot is from the Turkish İ.
  const folded = plain.toLowerCase().toUpperCase().toLowerCase().replaceAll('i\u0307', 'i')
  // Persian and Egyptian keyboards write these letters with other characters.
  return folded.normalize('NFC').replace(/[یى]/g, 'ي').replaceAll('ک', 'ك').replace(BLANKS, ' ').trim()
}
