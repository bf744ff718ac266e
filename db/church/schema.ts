import * as z from 'zod/mini'
import { storableText, visibleLength } from '#db/values/schemas.ts'

export const CHURCH_NAME_MAXIMUM = 80
export const ALT_TEXT_MAXIMUM = 300

const notFocus =
  'The focus of the picture is written as two numbers from 0 to 100, the percent from the left and from the top, e.g. 50,25.'
const notColor = 'A color is written as # with six digits from 0 to f, e.g. #6a3460.'

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

/** Null means not set. */
const churchTexts = z.object({
  name: line('The name of the church', CHURCH_NAME_MAXIMUM),
  /** As chosen, e.g. `#6a3460`. The colors on the screen are computed from it so that they stay readable. */
  accent: z.nullable(
    z.pipe(
      z.string(notColor).check(z.trim(), z.regex(/^#[\da-f]{6}$/i, notColor)),
      z.transform((color: string) => color.toLowerCase()),
    ),
  ),
  pictureAlt: line('The description of the picture', ALT_TEXT_MAXIMUM),
  /** The point that no crop cuts off, in percent from the left and from the top, e.g. `50,25`. Null means the middle. */
  pictureFocus: z.nullable(z.string(notFocus).check(z.regex(/^(\d|[1-9]\d|100),(\d|[1-9]\d|100)$/, notFocus))),
})
export type ChurchTexts = z.output<typeof churchTexts>

/** The stored picture: one or two sizes, the smallest first. */
const churchPicture = z.object({
  /** Part of its addresses, and different for each picture. */
  hash: z.string(),
  sizes: z.array(z.object({ width: z.int(), height: z.int() })),
})
export type ChurchPicture = z.output<typeof churchPicture>

export const church = z.object({
  name: z.nullable(z.string()),
  accent: z.nullable(z.string()),
  pictureAlt: z.nullable(z.string()),
  pictureFocus: z.nullable(z.string()),
  picture: z.nullable(churchPicture),
})
export type Church = z.output<typeof church>

export const churchChange = z
  .strictObject(z.partial(churchTexts).shape, 'Send name, accent, pictureAlt, pictureFocus, or several of them.')
  .check(
    z.refine(
      (change) => Object.keys(change).length > 0,
      'Name at least one of name, accent, pictureAlt and pictureFocus.',
    ),
  )

export const preparedPicture = z.object({
  hash: z.string(),
  sizes: z.array(z.object({ width: z.int(), height: z.int(), bytes: z.instanceof(Uint8Array) })),
})
