import * as z from 'zod/mini'
import { prayerChange, shownPrayer } from '#db/prayer/schema.ts'
import { linkWish } from '#db/private-link/schema.ts'
import type { CallDescription, Method } from './call-description.ts'

/** The part of the call table about households that come every week, mail, and prayer requests. */
export const weeklyCalls = {
  'POST /api/answer/link': {
    summary:
      'Sends the private links of the RSVPs for coming services to the email address with which they were sent. The reply is the same whether there are any. 404 while no mail server is set.',
    access: 'public',
    input: linkWish,
    form: true,
    status: 204,
  },
  'GET /api/prayers': {
    summary:
      'The prayer requests that the caller may read, the newest service first. 403 for administrators who read none; whom an owner lets read them has nothing to do with the role.',
    access: 'reader',
    reply: z.array(shownPrayer),
  },
  'PATCH /api/prayers/[id]': {
    summary: 'Says whether someone has prayed, or should visit the household.',
    access: 'reader',
    input: z.omit(z.object(prayerChange.shape), { id: true }),
    reply: shownPrayer,
  },
} as const satisfies Record<`${Method} /api/${string}`, CallDescription>
