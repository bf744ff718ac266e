import * as z from 'zod/mini'
import { backups } from '#db/values/backups.ts'
import { church, churchChange } from '#db/values/church.ts'
import { eventLanguages, eventPayload, namedLanguage, translatedTexts } from '#db/values/event.ts'
import { featureChange, features } from '#db/values/features.ts'
import { promisedMails } from '#db/values/mail.ts'
import {
  deletedRsvps,
  enteredFields,
  enteredRequest,
  erasureRequest,
  pageRequest,
  publicRsvps,
  rsvpIds,
  rsvpRequest,
  rsvpSearch,
  rsvpSelection,
  storedRsvps,
} from '#db/values/rsvp.ts'
import { changedSchedule, currentSchedule, scheduleChange } from '#db/values/schedule.ts'
import { settings, settingsChange, settingsRequest } from '#db/values/settings.ts'
import { changedTurnout, turnoutChange } from '#db/values/turnout.ts'
import { newVolunteerRole, offeredRole, volunteerRoleChange } from '#db/values/volunteer-role.ts'
import { accessCalls } from './access-calls.ts'
import type { CallDescription, Method } from './call-description.ts'
import { weeklyCalls } from './weekly-calls.ts'

const changedRsvps = z.object({ ids: z.array(z.int()) })

const islands = 'AdminTabs EventCard EventStart OwnRsvpForm Responses RsvpForm Toaster'.split(' ')
const errors =
  'Error AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError ResponseError AbortError ' +
  'DataCloneError InvalidStateError NetworkError NotFoundError NotSupportedError QuotaExceededError SecurityError'
const notFailure = 'Name only the part of the page, the class of the error, and the place in a script of this site.'
/** What failed in a browser. No text that someone typed fits in it; what is unknown is left out. */
export const failure = z.strictObject(
  {
    part: z.catch(z.optional(z.enum(islands)), undefined),
    error: z.catch(z.enum(errors.split(' ')), 'Error'),
    at: z.string(notFailure).check(z.regex(/^assets\/[\w.-]+\.js(:\d{1,2}:\d{1,6})?$/, notFailure)),
  },
  notFailure,
)

/** The source of access, `Allow`, statuses, types and `docs/http.md`. Browsers import only its types. */
export const calls = {
  'GET /api/event': {
    summary:
      'The event, or `null` while none is stored. The optional texts `mapLink`, `contact`, `whatToExpect`, `parking` and `children` are left out if they are empty. The `ETag` is the revision of the event.',
    access: 'public',
    reply: z.nullable(eventPayload),
  },
  'POST /api/event': {
    summary:
      'Stores the event. If `eventTitle` or an optional text is left out, the stored one stays; an empty optional text is removed.',
    input: z.partial(eventPayload),
    headers: {
      'If-None-Match': '`*` stores only a first event, else 412',
      'If-Match': 'changes only the texts that are sent, and only of that revision, else 412',
    },
    reply: eventPayload,
  },
  'GET /api/event/translations': {
    summary:
      'The `language` of the event itself, and its texts in all other languages. Where a translation is empty, visitors see the text of the event.',
    reply: eventLanguages,
  },
  'PATCH /api/event/translations': {
    summary: 'Sets the `language` of the event itself. 400 if a translation into that language exists.',
    input: namedLanguage,
    reply: eventLanguages,
  },
  'PUT /api/event/translations/[language]': {
    summary:
      'Replaces the texts of one language: `en`, `es`, `fr`, `pt`, `de`, `ko` or `ar`. A text that is left out becomes empty; if all are left out, the translation is removed. 400 for the language of the event itself.',
    input: translatedTexts,
    reply: eventLanguages,
  },
  'GET /api/features': { summary: 'Which features are on.', access: 'public', reply: features },
  'PATCH /api/features': {
    summary: 'Switches features on or off.',
    input: featureChange,
    reply: features,
  },
  'GET /api/volunteer-roles': {
    summary:
      'The roles on offer. `needed` is how many people a role needs at each service, if that is set. In that case, `filled` is how many fill it so far, by the date of each of the next eight services.',
    access: 'public',
    reply: z.array(offeredRole),
  },
  'POST /api/volunteer-roles': {
    summary: 'Adds a role.',
    input: newVolunteerRole,
    status: 201,
    reply: offeredRole,
  },
  'PATCH /api/volunteer-roles/[id]': {
    summary:
      'Renames a role, changes how many people it needs at one service (`null`: as many as want to), retires it or offers it again. Those who already fill the role keep it, even if they are more than it now needs.',
    input: z.omit(z.object(volunteerRoleChange.shape), { id: true }),
    reply: offeredRole,
  },
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
  ...weeklyCalls,
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
    input: z.partial(enteredFields),
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
    input: z.partial(enteredFields),
    headers: { 'If-Match': 'as for `PATCH /api/rsvps/{id}`' },
    reply: z.object({
      merged: z.array(z.int()),
      changedAt: z.nullable(z.string()),
      linkMailed: z.boolean(),
      link: z.optional(z.string()),
    }),
  },
  'GET /api/settings': {
    summary:
      'How visitors see names, after how many days RSVPs are anonymized, whether the form asks for prayer requests, after how many days these are erased, and the public address, unless PUBLIC_URL gives it. With `olderThan`, 1 to 3650 days, `old` is how many RSVPs are older and not anonymized yet.',
    input: settingsRequest,
    reply: z.extend(settings, { old: z.optional(z.int()) }),
  },
  'PATCH /api/settings': {
    summary:
      'Changes settings. `retentionDays`, `prayerDays` and `publicUrl` need a proof. 400 for a `publicUrl` that does not lead to this site, and for any in open mode or if PUBLIC_URL is set.',
    access: 'owner',
    input: settingsChange,
    reply: settings,
  },
  'POST /api/rsvps/erase': {
    summary:
      'Counts the RSVPs with an email address, including deleted ones. With `confirmed`, erases them for good. Older backups may still hold them.',
    access: 'owner',
    needsProof: true,
    input: erasureRequest,
    reply: z.object({ count: z.int() }),
  },
  'GET /api/backups': {
    summary: 'The last backup, and when the site makes the `next` one.',
    access: 'owner',
    reply: backups,
  },
  'POST /api/backups': {
    summary: 'Makes a backup in the folder of the nightly ones. 404 if no folder is set. No older backup is removed.',
    access: 'owner',
    status: 201,
    reply: backups,
  },
  'POST /api/backups/download': {
    summary: 'Makes a backup and sends it.',
    access: 'owner',
    needsProof: true,
    content: 'application/octet-stream',
  },
  'GET /api/church': {
    summary:
      'The name and the picture of the church, each `null` if there is none, and its accent. The picture is at `/church/picture/HASH-WIDTH.jpg` in each of its sizes.',
    access: 'public',
    reply: church,
  },
  'PATCH /api/church': {
    summary: 'Changes the name, the accent or the description of the picture; `null` removes a text.',
    input: churchChange,
    reply: church,
  },
  'PUT /api/church/picture': {
    summary:
      'Replaces the picture: a JPEG of up to 50 million pixels, or a PNG, WebP or AVIF of up to 12. It is stored as two upright JPEGs, cut to 16 : 9 around what draws attention, at most 1600 and 800 pixels wide, without metadata.',
    upload: { types: 'image/*', maximum: 15 * 1024 * 1024 },
    reply: church,
  },
  'DELETE /api/church/picture': {
    summary: 'Removes the picture and its description.',
    reply: church,
  },
  'GET /api/schedule': {
    summary:
      'When services are held, and the next eight for which an RSVP can be sent. Until the schedule is `confirmed`, it is the default: Saturday at 10:00 in the time zone of the server.',
    access: 'public',
    reply: currentSchedule,
  },
  'PATCH /api/schedule': {
    summary:
      'Changes the schedule, and confirms it. If the weekday changes, RSVPs for future services and skipped dates move along; `movedRsvps` is how many RSVPs moved. `skippedRsvps` is how many RSVPs are for newly skipped services. To `toldRsvps` of them, a message with the `skipReason` is sent in five minutes.',
    input: scheduleChange,
    reply: changedSchedule,
  },
  'PATCH /api/services/[date]': {
    summary:
      'Records how many people came to a service, on its day or later: `turnout`, from 0 to 100,000; `null` removes the number.',
    input: z.omit(turnoutChange, { date: true }),
    reply: changedTurnout,
  },
  ...accessCalls,
  'POST /api/failures': {
    summary:
      'Logs that a `part` of a page failed in a browser, with the class of the error and its place in our scripts. Each failure is logged once, and fifty in all.',
    access: 'public',
    input: failure,
    status: 204,
  },
  'GET /api/health': {
    summary:
      'Whether the database can be read and written; if not, 503 with the reason. Use it for alerts, not for restarts: a full disk stays full.',
    access: 'public',
    reply: z.object({ status: z.literal('ok') }),
  },
} as const satisfies Record<`${Method} /api/${string}`, CallDescription>

export type CallName = keyof typeof calls
