import { linkWish } from '#db/private-link/schema.ts'
import type { CallDescription, Method } from './call-description.ts'

/** The part of the call table about households that come every week, and mail. */
export const weeklyCalls = {
  'POST /api/answer/link': {
    summary:
      'Sends the private links of the RSVPs for coming services to the email address with which they were sent. The reply is the same whether there are any. 404 while no mail server is set.',
    access: 'public',
    input: linkWish,
    form: true,
    status: 204,
  },
} as const satisfies Record<`${Method} /api/${string}`, CallDescription>
