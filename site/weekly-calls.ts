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
      'The RSVP of a private link, without its id, until its service is over. Of a household that comes every week: that of the next service or of `week`, a day, and in `standing` the coming weeks. `prayer` is left out while the form asks for none, and by a link made since an administrator changed the address. 404 if the link does not work, or a merge has ended it, 410 once the service is over, the church has deleted the RSVP, or "every week" has ended.',
    access: 'public',
    input: linkedWeek,
    headers: linkHeaders,
    reply: ownRsvp,
  },
  'PATCH /api/answer': {
    summary:
      'Changes it: fields that are sent replace the stored ones, the others stay. 409 while it is withdrawn. Sending what is already stored succeeds. With `?week=` that week; with `everyWeek` all weeks, except those that were changed on their own; `standing` begins "every week" with the RSVP of a single service.',
    access: 'public',
    input: ownChange,
    headers: sameLinkHeaders,
    reply: ownRsvp,
  },
  'DELETE /api/answer': {
    summary:
      'Withdraws it: it is deleted, and can be restored on the page of the link while that works. Of a household that comes every week: with `?week=` only that week, else "every week" ends for good.',
    access: 'public',
    input: linkedWeek,
    headers: sameLinkHeaders,
    status: 204,
  },
  'POST /api/answer': {
    summary:
      'The same as `PATCH`. As a form, its `action` can be `withdraw` or `restore` as well; for every week also `begin`, `every-week`, `end`, `still-coming`, `calendar` or `revoke-calendar`.',
    access: 'public',
    input: ownChange,
    form: true,
    headers: sameLinkHeaders,
    reply: ownRsvp,
  },
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
  'GET /api/standing': {
    summary:
      'The households that come every week, in the order in which they came. Each ends at `endsAt` unless it says something by its link before.',
    reply: z.array(standingHousehold),
  },
  'PATCH /api/standing/[id]': {
    summary:
      'Stores whether a household still comes, e.g. because it has said so by telephone. With `comes: false` its RSVPs for the weeks ahead are withdrawn, and the past stays.',
    input: z.omit(standingChange, { id: true }),
    status: 204,
  },
  'GET /api/mail': {
    summary:
      'Whether a mail server is set, why messages wait that are due, how many wait, and which were given up or may not have arrived.',
    reply: mailState,
  },
  'POST /api/mail/retry': {
    summary:
      'Queues those messages once more: all, with those that were delayed, or those with the `ids`. Not those whose time is over, or whose address is no longer known.',
    input: mailRetry,
    reply: z.object({ queued: z.int() }),
  },
  'POST /api/mail/test': {
    summary:
      'Sends a test message at once to the own address; without one, and in open mode, to MAIL_FROM. 403 for any other `to`, 503 with the reason if the mail server does not take it.',
    input: testMail,
    status: 204,
  },
} as const satisfies Record<`${Method} /api/${string}`, CallDescription>
