import * as z from 'zod/mini'
import { atMost, storableText } from '../text.ts'

const PASSWORD_MINIMUM = 12
export const PASSWORD_MAXIMUM = 128

/** Somebody who signs in sends a password; whether it is long enough to be one is not told to strangers. */
export const signInRequest = z.object(
  {
    password: z.string('Type the password.').check(
      z.refine((password) => password !== '', 'Type the password.'),
      atMost(PASSWORD_MAXIMUM, `A password has at most ${PASSWORD_MAXIMUM} characters.`),
    ),
  },
  'Send the password as a JSON object.',
)

/** A password that may be set: typed the same on every device, so blanks at its ends do not count. */
export const newPassword = storableText('The password', PASSWORD_MAXIMUM).check(
  z.minLength(
    PASSWORD_MINIMUM,
    `A password needs at least ${PASSWORD_MINIMUM} characters. Three or four words will do.`,
  ),
)

/** Numbers of sessions, or every one. */
export const sessionIds = z.union([z.literal('all'), z.array(z.int().check(z.positive()))])

/** So many at once, and one more each `everyMs` milliseconds. */
export type Allowance = { atOnce: number; everyMs: number }
