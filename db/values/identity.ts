/** With the Arabic letter that only makes a word longer. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}\u0640]+/gu
const BLANKS = /[\p{White_Space}\p{Cc}]+/gu
/** Before NFKC, which makes a blank and an accent of some of them. */
const APOSTROPHES = /['’‘‛ʼʻʽʹʾʿˈˊˋ`´′‵＇｀᾽᾿՚׳ꞌꞋ❛❜]/gu
const HYPHENS = /[\p{Dash_Punctuation}−˗⁃]/gu

/**
 * The form in which two spellings of a name are the same text: `JOSÉ  NÚÑEZ` and `José Núñez`, `O’Brien` and `O'Brien`.
 * Accents and the order of words count. Only for comparing: what is shown stays as typed.
 */
export function identityOf(name: string): string {
  const plain = name.replace(INVISIBLE, '').replace(APOSTROPHES, "'").normalize('NFKC').replace(HYPHENS, '-')
  // Small, capital and small again: only so are ß and SS, or ς and σ, the same. The dot is that of the Turkish İ.
  const folded = plain.toLowerCase().toUpperCase().toLowerCase().replaceAll('i\u0307', 'i')
  // Persian and Egyptian keyboards have other letters that look the same.
  return folded.normalize('NFC').replace(/[یى]/g, 'ي').replaceAll('ک', 'ك').replace(BLANKS, ' ').trim()
}
