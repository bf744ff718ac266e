import * as z from 'zod/mini'
import { mailRetry, mailState, testMail } from '#db/mail/schema.ts'
import { standingHousehold } from '#db/standing/schema.ts'
import type { CallDescription, Method } from './call-description.ts'

/** The part of the call table about households that come every week, and about mail. */
export const weeklyCalls = {
  'GET /api/standing': {
    summary:
      'The households that come every week, by name. Each ends at `endsAt` unless it says something by its link before.',
    reply: z.array(standingHousehold),
  },
  'DELETE /api/standing/[id]': {
    summary: 'Ends “every week” of a household: its RSVPs for the weeks ahead are withdrawn, the past stays.',
    status: 204,
  },
  'GET /api/mail': {
    summary:
      'Whether a mail server is set, why messages wait that are due, how many wait, and which were given up or may not have arrived.',
    reply: mailState,
  },
  'POST /api/mail/retry': {
    summary:
      'Queues those messages once more: all, or those with the `ids`. Not those whose time is over, or whose address is no longer known.',
    input: mailRetry,
    reply: z.object({ queued: z.int() }),
  },
  'POST /api/mail/test': {
    summary: 'Sends a test message at once. 503 with the reason if the mail server does not take it.',
    input: testMail,
    status: 204,
  },
} as const satisfies Record<`${Method} /api/${string}`, CallDescription>
