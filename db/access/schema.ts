import * as z from 'zod/mini'
import { PASSWORD_MAXIMUM } from '#db/new-password.ts'
import { atMost } from '#db/text.ts'

/** The token of the session that a browser has, if it has one. */
const token = z.optional(z.string())

/** Somebody who signs in sends a password; whether it is long enough to be one is not told to strangers. */
export const signInRequest = z.object(
  {
    password: z.string('Type the password.').check(
      z.refine((password) => password !== '', 'Type the password.'),
      atMost(PASSWORD_MAXIMUM, `A password has at most ${PASSWORD_MAXIMUM} characters.`),
    ),
    token,
    /** What the browser got when somebody signed in with it before. */
    device: z.optional(z.string()),
  },
  'Send the password as a JSON object.',
)

export const signOutRequest = z.object({ token })

/** Numbers of sessions, or every one. */
export const sessionIds = z.union([z.literal('all'), z.array(z.int().check(z.positive()))])
