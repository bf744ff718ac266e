import * as z from 'zod/mini'
import { atMost, PASSWORD_MAXIMUM } from '#db/values/schemas.ts'

/** A sign-in sends a password. Whether it is long enough is not checked here: that would tell visitors the rule. */
export const signInRequest = z.object(
  {
    password: z.string('Type the password.').check(
      z.refine((password) => password !== '', 'Type the password.'),
      atMost(PASSWORD_MAXIMUM, `A password has at most ${PASSWORD_MAXIMUM} characters.`),
    ),
    token: z.optional(z.string()),
    device: z.optional(z.string()),
  },
  'Send the password as a JSON object.',
)
