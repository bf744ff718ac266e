const ASCII_ZERO = 0x30

/** A text with the digits of every script as those from 0 to 9, e.g. `٨٧` as `87`. */
export function withPlainDigits(text: string): string {
  return text.replace(/\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? ASCII_ZERO
    // The ten digits of a script follow each other.
    let first = code
    while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first -= 1
    return String((code - first) % 10)
  })
}

/** A whole number, also in groups of three, e.g. `1,200`. */
const WHOLE = /^(\d+|\d{1,3}([\s.,．，'’٬،]\d{3})+)$/

/** Reads a whole number as people type it, in the digits of any script. NaN if it is none, also if it is empty. */
export function typedNumber(text: string): number {
  // Arabic keyboards add marks of direction.
  const plain = withPlainDigits(text.replace(/\p{Cf}/gu, '').trim())
  return WHOLE.test(plain) ? Number(plain.replace(/\D/g, '')) : Number.NaN
}
