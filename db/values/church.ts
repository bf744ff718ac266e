import * as z from 'zod/mini'
import { storableText, visibleLength } from './schemas.ts'

export const CHURCH_NAME_MAXIMUM = 80
export const ALT_TEXT_MAXIMUM = 300

/** The colors of buttons and links, defined in site/styles/tokens.css. */
export const accents = ['plum', 'rose', 'bronze', 'olive', 'teal', 'blue', 'indigo', 'slate'] as const
export type Accent = (typeof accents)[number]
export const usualAccent = 'plum' satisfies Accent

const accent = z.enum(accents, `Choose one of these colors: ${accents.join(', ')}.`)

/** A text on one line; null if nothing in it is visible. */
function line(label: string, maximum: number) {
  return z.nullable(
    z.pipe(
      storableText(label, maximum).check(
        z.refine(
          (text) => !/\p{Cc}/u.test(text),
          `${label} holds a line break or another control. Type it in one line.`,
        ),
      ),
      z.transform((text: string) => (visibleLength(text) === 0 ? null : text)),
    ),
  )
}

/** Null for a text that is not set. */
const churchTexts = z.object({
  name: line('The name of the church', CHURCH_NAME_MAXIMUM),
  accent,
  pictureAlt: line('The description of the picture', ALT_TEXT_MAXIMUM),
})
export type ChurchTexts = z.output<typeof churchTexts>

/** The stored picture: one or two sizes, the smallest first. */
const churchPicture = z.object({
  /** Part of the picture's address, and different for each picture. */
  hash: z.string(),
  sizes: z.array(z.object({ width: z.int(), height: z.int() })),
})
export type ChurchPicture = z.output<typeof churchPicture>

export const church = z.object({
  name: z.nullable(z.string()),
  accent,
  pictureAlt: z.nullable(z.string()),
  picture: z.nullable(churchPicture),
})
export type Church = z.output<typeof church>

export const churchChange = z
  .strictObject(z.partial(churchTexts).shape, 'Send name, accent, pictureAlt, or several of them.')
  .check(z.refine((change) => Object.keys(change).length > 0, 'Name at least one of name, accent and pictureAlt.'))

export const preparedPicture = z.object({
  hash: z.string(),
  sizes: z.array(z.object({ width: z.int(), height: z.int(), bytes: z.instanceof(Uint8Array) })),
})
