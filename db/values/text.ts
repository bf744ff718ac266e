import * as z from 'zod/mini'

/** Half of a surrogate pair cannot be stored as UTF-8, and SQLite cuts a text at NUL: both would change what was typed. */
const unstorable = /\0|\p{Surrogate}/u

/** Blanks, controls and characters that draw nothing (zero-width joiners, Hangul fillers, the Braille blank). */
const invisible = /[\s\p{C}\p{Default_Ignorable_Code_Point}\u2800]/gu

/** How much of a text can be seen, in UTF-16 code units. */
export function visibleLength(text: string): number {
  return text.replace(invisible, '').length
}

/**
 * A maximum length for texts and lists. Zod's own check also reads the length of values that were refused already, which
 * may be of any type.
 */
export function atMost<Value extends { length: number }>(maximum: number, error: string | (() => string)) {
  return z.refine<Value>((value) => value.length <= maximum, { error, abort: true })
}

/** A list whose length is checked before its items: a reply must not hold 20,000 errors. */
export function listOf<Item extends z.ZodMiniType>(item: Item, maximum: number, none: string, tooMany: string) {
  return z.pipe(z.array(z.unknown(), none).check(atMost(maximum, tooMany)), z.array(item))
}

/** A text that comes back from storage exactly as it went in, trimmed, at most `maximum` UTF-16 code units long. */
export function storableText(label: string, maximum: number) {
  return z.string(`${label} must be text.`).check(
    z.trim(),
    // The sentence is made only when it is needed: formatting a number with its comma takes 10 ms the first time.
    atMost(maximum, () => `${label} may have at most ${maximum.toLocaleString('en-US')} characters.`),
    z.refine((text) => !unstorable.test(text), `${label} holds a character that cannot be stored. Type it again.`),
  )
}

/** An optional value for which null and a text of nothing but blanks mean: not given. */
export function absentWhenEmpty<Output>(schema: z.ZodMiniType<Output>) {
  const emptyToAbsent = z.transform((value: unknown): unknown => (isEmpty(value) ? undefined : value))
  return z.optional(z.pipe(emptyToAbsent, z.optional(schema)))
}

function isEmpty(value: unknown): boolean {
  return value === null || (typeof value === 'string' && value.trim() === '')
}
