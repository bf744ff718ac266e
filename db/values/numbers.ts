const ASCII_ZERO = 0x30

/** Replaces the digits of other scripts, e.g. `٨٧` by `87`. */
export function withPlainDigits(text: string): string {
  return text.replace(/(?!\d)\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? ASCII_ZERO
    // The ten digits of a script are consecutive.
    let first = code
    while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first -= 1
    return String((code - first) % 10)
  })
}

/** A whole number, also in groups of three, e.g. `1,200`. */
const WHOLE = /^(\d+|\d{1,3}([\s.,．，'’٬،]\d{3})+)$/

/** Reads a whole number as people type it, in the digits of any script. NaN for any other text, even an empty one. */
export function typedNumber(text: string): number {
  // Arabic keyboards add direction marks.
  const plain = withPlainDigits(text.replace(/\p{Cf}/gu, '').trim())
  return WHOLE.test(plain) ? Number(plain.replace(/\D/g, '')) : Number.NaN
}
