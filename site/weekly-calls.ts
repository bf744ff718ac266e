import * as z from 'zod/mini'
import { mailRetry, mailState, testMail } from '#db/values/mail.ts'
import { prayerChange, shownPrayer } from '#db/values/prayer.ts'
import { linkedWeek, linkWish, ownRsvp } from '#db/values/private-link.ts'
import { rsvpRequest } from '#db/values/rsvp.ts'
import { standingChange, standingHousehold } from '#db/values/standing.ts'
import type { CallDescription, Method } from './call-description.ts'

const linkHeaders = { 'Link-Key': 'the `key` of the private link; without it, the cookie that `/answer` sets' }
const sameLinkHeaders = { 'Link-Key': 'as for `GET /api/answer`' }
const ownChange = z.extend(z.extend(z.partial(rsvpRequest), linkedWeek.shape), { everyWeek: z.optional(z.boolean()) })

/** The part of the call table about private links, what households say for every week, mail, and prayer requests. */
export const weeklyCalls = {
  'GET /api/answer': {
    summary:
      'The RSVP of a private link, without its id, until its service is over. For a household that comes every week, it is the RSVP for the next service or for the day `week`, and `standing` has the coming weeks. `prayer` is left out if the form asks for none, or if the link was made after an administrator changed the address. 404 if the link is wrong or was ended by a merge; 410 if the service is over, the church has deleted the RSVP, or "every week" has ended.',
    access: 'public',
    input: linkedWeek,
    headers: linkHeaders,
    reply: ownRsvp,
  },
  'PATCH /api/answer': {
    summary:
      'Changes the RSVP of a private link. 409 while it is withdrawn. Sending what is already stored succeeds. For a household that comes every week, `week` names the week to change; `everyWeek` changes all weeks, except those that were changed on their own. `standing` turns the RSVP of a single service into "every week".',
    access: 'public',
    input: ownChange,
    headers: sameLinkHeaders,
    reply: ownRsvp,
  },
  'DELETE /api/answer': {
    summary:
      'Withdraws the RSVP of a private link. It is deleted, and can be restored on the page of the link while that works. For a household that comes every week, this withdraws the week `week`; without `week`, it ends "every week" for good.',
    access: 'public',
    input: linkedWeek,
    headers: sameLinkHeaders,
    status: 204,
  },
  'POST /api/answer': {
    summary:
      'The same as `PATCH`. A form can also have an `action`: `withdraw` or `restore`, and for "every week" `begin`, `every-week`, `end`, `still-coming`, `calendar` or `revoke-calendar`.',
    access: 'public',
    input: ownChange,
    form: true,
    headers: sameLinkHeaders,
    reply: ownRsvp,
  },
  'POST /api/answer/link': {
    summary:
      'Mails the private links of the RSVPs for coming services to the email address in them. The reply does not say whether there are any. 404 if no mail server is set.',
    access: 'public',
    input: linkWish,
    form: true,
    status: 204,
  },
  'GET /api/prayers': {
    summary:
      'The prayer requests that the caller may read, the newest service first. 403 for administrators who may read none: an owner decides that for each, whatever the role.',
    access: 'reader',
    reply: z.array(shownPrayer),
  },
  'PATCH /api/prayers/[id]': {
    summary: 'Stores whether someone has prayed, or should visit the household.',
    access: 'reader',
    input: z.omit(z.object(prayerChange.shape), { id: true }),
    reply: shownPrayer,
  },
  'GET /api/standing': {
    summary:
      'The households that come every week, the earliest first. "Every week" ends at `endsAt` unless the household uses its link before.',
    reply: z.array(standingHousehold),
  },
  'PATCH /api/standing/[id]': {
    summary:
      'Stores whether a household still comes every week, e.g. after a telephone call. `comes: false` withdraws its RSVPs for the weeks ahead; past ones stay.',
    input: z.omit(standingChange, { id: true }),
    status: 204,
  },
  'GET /api/mail': {
    summary:
      'Whether a mail server is set (`configured`), why due messages were not sent (`trouble`), how many wait, and which were given up or may not have arrived.',
    reply: mailState,
  },
  'POST /api/mail/retry': {
    summary:
      'Queues once more the messages that were delayed, failed or may not have arrived: all of them, or those with the `ids`. Messages that are no longer of use, or whose address is no longer known, are left out.',
    input: mailRetry,
    reply: z.object({ queued: z.int() }),
  },
  'POST /api/mail/test': {
    summary:
      'Sends a test message at once to the address of the caller; if there is none, or in open mode, to MAIL_FROM. 403 for any other `to`, 503 with the reason if the mail server refuses it.',
    input: testMail,
    status: 204,
  },
} as const satisfies Record<`${Method} /api/${string}`, CallDescription>
