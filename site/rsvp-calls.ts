import * as z from 'zod/mini'
import { mailRetry, mailState, promisedMails, testMail } from '#db/values/mail.ts'
import { prayerChange, shownPrayer } from '#db/values/prayer.ts'
import { linkedWeek, linkWish, ownRsvp } from '#db/values/private-link.ts'
import {
  deletedRsvps,
  enteredRequest,
  enteredRsvp,
  pageRequest,
  publicRsvps,
  rsvpIds,
  rsvpRequest,
  rsvpSearch,
  rsvpSelection,
  storedRsvps,
} from '#db/values/rsvp.ts'
import { standingChange, standingHousehold } from '#db/values/standing.ts'
import type { CallTable } from './call-description.ts'

const linkHeaders = { 'Link-Key': 'the `key` of the private link; without it, the cookie that `/answer` sets' }
const sameLinkHeaders = { 'Link-Key': 'as for `GET /api/answer`' }
const ownChange = z.extend(z.extend(z.partial(rsvpRequest), linkedWeek.shape), { everyWeek: z.optional(z.boolean()) })
const changedRsvps = z.object({ ids: z.array(z.int()) })

/** The part of the call table about RSVPs: those of visitors, by form and by private link, their mail, and the list. */
export const rsvpCalls = {
  'POST /api/rsvp': {
    summary:
      'Sends an RSVP. `link` is the private link to change or withdraw it. `mail` lists what the sender gets by mail. `id` is left out if visitors see no list.',
    access: 'public',
    input: rsvpRequest,
    form: true,
    headers: {
      'Idempotency-Key':
        '1 to 200 printable ASCII characters. The same key again gets the same reply and stores nothing; 422 if the body differs, 409 if the RSVP was deleted',
      'Form-Age': 'how long the form was shown, in milliseconds',
    },
    status: 201,
    reply: z.object({
      id: z.optional(z.int()),
      link: z.optional(z.string()),
      mail: z.optional(z.array(z.enum(promisedMails))),
    }),
  },
  'GET /api/answer': {
    summary:
      'The RSVP of a private link, without its id, until its service is over. For a household that comes every week, it is the RSVP for the next service or for the day `week`, and `standing` has the coming weeks; once the household has ended that, `countedUntil`. `prayer` is left out if the form asks for none, or if the link was made after an administrator changed the address. 404 if the link is wrong or was ended by a merge; 410 if the service is over, the church has deleted the RSVP or ended "every week", or it ended long ago.',
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
      'Withdraws the RSVP of a private link. It is deleted, and can be restored on the page of the link while that works. For a household that comes every week, this withdraws the week `week`; without `week`, it ends "every week".',
    access: 'public',
    input: linkedWeek,
    headers: sameLinkHeaders,
    status: 204,
  },
  'POST /api/answer': {
    summary:
      'The same as `PATCH`. A form can also have an `action`: `withdraw` or `restore`, and for "every week" `begin`, `every-week`, `end`, which `restore` without `week` undoes, `still-coming`, `calendar` or `revoke-calendar`.',
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
  'GET /api/rsvps': {
    summary:
      'All RSVPs, newest first, as one streamed list. With `limit` the reply is one page, and `Link` leads to the next. Visitors get pages of at most 200, or 401 if they may see no list.',
    access: 'public-or-admin',
    input: z.omit(pageRequest, { email: true }),
    reply: publicRsvps,
    adminReply: storedRsvps,
  },
  'POST /api/rsvps': {
    summary:
      'Adds an RSVP that came by telephone or on paper, for the service of this week unless it names another. With `standing`, the household comes every week from that service on.',
    input: enteredRequest,
    headers: { 'Idempotency-Key': 'as for `POST /api/rsvp`' },
    status: 201,
    reply: z.object({ id: z.int() }),
  },
  'GET /api/rsvps/download': {
    summary: 'The RSVPs as CSV, separated by semicolons in German, French, Spanish and Portuguese.',
    input: z.omit(rsvpSearch, { email: true }),
    content: 'text/csv',
  },
  'GET /api/rsvps/deleted': {
    summary:
      'The 100 RSVPs deleted last, and the `total` of deleted ones. If a merge deleted an RSVP, `mergedInto` is the id of the one it kept. If `deletedAt` equals `changedAt`, the sender withdrew the RSVP.',
    reply: deletedRsvps,
  },
  'POST /api/rsvps/delete': {
    summary:
      'Deletes all matching RSVPs up to the id `newest`, except those in `except`, in one transaction. They can be restored for 30 days. The reply has their ids.',
    input: rsvpSelection,
    reply: changedRsvps,
  },
  'POST /api/rsvps/restore': {
    summary: 'Restores RSVPs. The reply has the ids of those that were deleted before.',
    input: rsvpIds,
    reply: changedRsvps,
  },
  'PATCH /api/rsvps/[id]': {
    summary: 'Changes an RSVP.',
    input: z.partial(enteredRsvp),
    headers: {
      'If-Match': 'changes only that revision, else 412: the time of the last change in ms, or `"0"` if there was none',
    },
    status: 204,
  },
  'DELETE /api/rsvps/[id]': {
    summary: 'Deletes an RSVP. It can be restored for 30 days.',
    status: 204,
  },
  'POST /api/rsvps/[id]/merge': {
    summary:
      'Keeps this RSVP and deletes its older duplicates (same email, name and service), which can be restored for 30 days; `merged` has their ids. Fields that are sent replace the stored ones. Fields that are left out are combined: every family member, all roles that still have room, all messages. The private links of the deleted RSVPs end, and so do those of this one if anything was added to it. Then either `linkMailed` is true, because the address gets a new link by mail, or `link` is one to hand over. If several of the RSVPs are of households that come every week, one household is left. 412 if this RSVP is no longer the newest, or no longer has duplicates.',
    input: z.partial(enteredRsvp),
    headers: { 'If-Match': 'as for `PATCH /api/rsvps/{id}`' },
    reply: z.object({
      merged: z.array(z.int()),
      changedAt: z.nullable(z.string()),
      linkMailed: z.boolean(),
      link: z.optional(z.string()),
    }),
  },
} as const satisfies CallTable
