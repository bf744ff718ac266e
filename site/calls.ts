import * as z from 'zod/mini'
import { signInRequest } from '#db/access/schema.ts'
import { calendarLinks } from '#db/calendar/schema.ts'
import { church, churchChange } from '#db/church/schema.ts'
import { eventLanguages, eventPayload, namedLanguage, translatedTexts } from '#db/event/schema.ts'
import { featureChange, features } from '#db/feature/schema.ts'
import { ownRsvp } from '#db/private-link/schema.ts'
import {
  changedBefore,
  deletedRsvps,
  enteredFields,
  pageRequest,
  publicRsvps,
  rsvpDeletion,
  rsvpRequest,
  rsvpSearch,
  rsvpSelection,
  storedRsvps,
  tableRequest,
} from '#db/rsvp/schema.ts'
import { changedSchedule, currentSchedule, scheduleChange } from '#db/schedule/schema.ts'
import { settings, settingsChange } from '#db/settings/schema.ts'
import { changedTurnout, turnoutChange } from '#db/turnout/schema.ts'
import { neededRole, newVolunteerRole, offeredRole, volunteerRoleChange } from '#db/volunteer-role/schema.ts'
import type { CallDescription, Method } from './call-description.ts'

const linkHeaders = { 'Link-Key': 'the `key` of the private link; without it, the cookie that `/answer` has set' }
const changedRsvps = z.object({ changed: z.int(), left: z.int() })
const access = z.object({ mode: z.enum(['open', 'guarded']), signedIn: z.boolean() })

/**
 * All calls by method and route: the source of access rules, `Allow`, statuses, the types of both ends and
 * `docs/http.md`. Browsers import only its types.
 */
export const calls = {
  'GET /api/event': {
    summary:
      'The event, without those of its optional texts `mapLink`, `contact` and `whatToExpect` that are empty; `null` while none is stored. Its revision is the `ETag`.',
    access: 'public',
    reply: z.nullable(eventPayload),
  },
  'POST /api/event': {
    summary:
      'Stores the event. Without `eventTitle`, `mapLink`, `contact` or `whatToExpect` the stored one stays; an empty one of the last three is removed.',
    input: z.partial(eventPayload),
    headers: {
      'If-None-Match': '`*` stores only a first event, else 412',
      'If-Match': 'changes only the texts that are sent, and only of that revision, else 412',
    },
    reply: eventPayload,
  },
  'GET /api/event/translations': {
    summary: 'In which `language` the event itself is written, and in which others there is any text of it.',
    access: 'public',
    reply: eventLanguages,
  },
  'PATCH /api/event/translations': {
    summary: 'Says in which `language` the event itself is written. 400 while it is translated into that one.',
    input: namedLanguage,
    reply: eventLanguages,
  },
  'GET /api/event/translations/[language]': {
    summary:
      'The texts of the event in one language: `en`, `es`, `fr`, `pt`, `de`, `ko` or `ar`. In place of an empty one visitors read that of the event. Its revision is the `ETag`. 404 where there is none.',
    access: 'public',
    reply: translatedTexts,
  },
  'PUT /api/event/translations/[language]': {
    summary:
      'Stores them in place of those there are. A text that is left out is empty; one at least is not. 400 for the language of the event itself.',
    input: translatedTexts,
    headers: {
      'If-None-Match': '`*` stores only a first translation, else 412',
      'If-Match': 'replaces only that revision, else 412',
    },
    reply: translatedTexts,
  },
  'DELETE /api/event/translations/[language]': {
    summary: 'Removes them: visitors read the event itself again.',
    status: 204,
  },
  'GET /api/features': { summary: 'The three switches.', access: 'public', reply: features },
  'PATCH /api/features': {
    summary: 'Switches one or more of them.',
    input: featureChange,
    reply: features,
  },
  'GET /api/volunteer-roles': {
    summary:
      'The roles on offer. Where only so many people fill one at a service, `needed` says how many, and `filled` how many do so far, by the day of each of the next eight.',
    access: 'public',
    reply: z.array(offeredRole),
  },
  'POST /api/volunteer-roles': {
    summary: 'Adds a role.',
    input: newVolunteerRole,
    status: 201,
    reply: neededRole,
  },
  'PATCH /api/volunteer-roles/[id]': {
    summary:
      'Renames a role, changes how many people fill it at one service (`null`: as many as want to), retires it or offers it again. Whoever fills it already stays, also where that is more than it needs now.',
    input: z.omit(z.object(volunteerRoleChange.shape), { id: true }),
    reply: offeredRole,
  },
  'POST /api/rsvp': {
    summary:
      'Sends an RSVP. `link` is the private link with which its sender changes or withdraws it. The id is missing where visitors are shown no list.',
    access: 'public',
    input: rsvpRequest,
    form: true,
    headers: {
      'Idempotency-Key':
        '1 to 200 printable ASCII characters. The same key again gets the same reply and stores nothing; 422 with another body, 409 once the RSVP was deleted',
      'Form-Age': 'how long the form was shown, in milliseconds',
    },
    status: 201,
    reply: z.object({ id: z.optional(z.int()), link: z.optional(z.string()) }),
  },
  'GET /api/answer': {
    summary:
      'The RSVP of a private link, without its number, until its service is over. Its revision is the `ETag`. 404 where the link does not work, 410 once the service is over or the church has deleted the RSVP.',
    access: 'public',
    headers: linkHeaders,
    reply: ownRsvp,
  },
  'PATCH /api/answer': {
    summary:
      'Changes it: what is sent replaces what was stored, what is left out stays. 409 while it is withdrawn. What it says already is a success.',
    access: 'public',
    input: z.partial(rsvpRequest),
    headers: { ...linkHeaders, 'If-Match': 'changes only that revision, else 412' },
    reply: ownRsvp,
  },
  'DELETE /api/answer': {
    summary: 'Withdraws it: it is deleted, and can be taken back while the link works.',
    access: 'public',
    headers: linkHeaders,
    status: 204,
  },
  'POST /api/answer': {
    summary: 'The same as `PATCH`. As a form, its `action` can be `withdraw` or `restore` as well.',
    access: 'public',
    input: z.partial(rsvpRequest),
    form: true,
    headers: { ...linkHeaders, 'If-Match': 'changes only that revision, else 412' },
    reply: ownRsvp,
  },
  'POST /api/answer/restore': {
    summary: 'Takes its withdrawal back, without the roles that others fill by now.',
    access: 'public',
    headers: linkHeaders,
    status: 204,
  },
  'GET /api/rsvps': {
    summary:
      'All RSVPs, newest first, as one streamed list; with `limit` a page, and the next one in `Link`. Visitors get pages of at most 200 with `id`, `name`, `attending` and `createdAt`, or 401 where they are shown no list.',
    access: 'public-or-admin',
    input: z.omit(pageRequest, { email: true }),
    reply: publicRsvps,
    adminReply: storedRsvps,
  },
  'POST /api/rsvps': {
    summary:
      'Adds an RSVP that came by telephone or on paper, for the service of this week unless it names another. An email is not needed.',
    input: enteredFields,
    headers: { 'Idempotency-Key': 'as for `POST /api/rsvp`' },
    status: 201,
    reply: z.object({ id: z.int() }),
  },
  'GET /api/rsvps/download': {
    summary: 'The same as CSV.',
    input: z.omit(rsvpSearch, { email: true }),
    content: 'text/csv',
  },
  'GET /api/rsvps/print': {
    summary: 'The same as a page to print, in the order `sort`: `newest`, `oldest` or `name`.',
    input: z.omit(tableRequest, { before: true, after: true }),
    content: 'text/html',
  },
  'GET /api/rsvps/deleted': {
    summary:
      'The 100 RSVPs that were deleted last, how many are deleted in all, and the last 20 deletions of several at one moment, which `POST /api/rsvps/restore` brings back.',
    reply: deletedRsvps,
  },
  'POST /api/rsvps/delete': {
    summary:
      'Deletes, for 30 days, all RSVPs that match, up to the id `newest` and without those in `except`; 412 if they are not `count` by now, or not those of the `fingerprint` that the page of responses has. `left` of them could not be deleted.',
    input: rsvpSelection,
    reply: z.extend(changedRsvps, { deletedAt: z.string() }),
  },
  'POST /api/rsvps/restore': {
    summary: 'Brings back what was deleted at one moment.',
    input: rsvpDeletion,
    reply: changedRsvps,
  },
  'PATCH /api/rsvps/[id]': {
    summary:
      'Changes an RSVP: what is sent replaces what was stored, what is left out stays. What takes a change back also sends `changedAt` as it was before.',
    input: z.extend(z.partial(enteredFields), { changedAt: z.optional(changedBefore) }),
    headers: { 'If-Match': 'changes only that revision, else 412: the moment of the last change in ms, or `"0"`' },
    status: 204,
  },
  'DELETE /api/rsvps/[id]': { summary: 'Deletes an RSVP, for 30 days.', status: 204 },
  'POST /api/rsvps/[id]/merge': {
    summary:
      'Keeps this RSVP and deletes, for 30 days, those before it with the same email and name for the same service; `merged` are their ids. What is sent replaces what it said; what is left out becomes what they say together: the fuller family, all roles that are not filled, all messages. 412 when it is not the newest of them any more, or has no duplicates any more.',
    input: z.partial(enteredFields),
    headers: { 'If-Match': 'as for `PATCH /api/rsvps/[id]`' },
    reply: z.object({ merged: z.array(z.int()), changedAt: z.nullable(z.string()) }),
  },
  'POST /api/rsvps/[id]/restore': { summary: 'Brings a deleted RSVP back.', status: 204 },
  'GET /api/settings': {
    summary: 'What visitors see of names, and after how many days RSVPs are made anonymous.',
    reply: settings,
  },
  'PATCH /api/settings': {
    summary: 'Changes one or both.',
    input: settingsChange,
    reply: settings,
  },
  'GET /api/church': {
    summary:
      'The name of the church, its accent as it was chosen, and its picture, each `null` where there is none. One size of the picture is at `/church/picture/HASH-WIDTH.jpg`.',
    access: 'public',
    reply: church,
  },
  'PATCH /api/church': {
    summary: 'Changes the name, the accent, e.g. `#6a3460`, or what the picture shows; `null` removes it.',
    input: churchChange,
    reply: church,
  },
  'PUT /api/church/picture': {
    summary:
      'Puts a picture in place of the one there is: a JPEG of up to 50 million pixels, or a PNG, WebP or AVIF of up to 12. It is kept as JPEG, upright, with a longer side of at most 1600 and of 800 pixels, and without what else was in it, e.g. where it was taken.',
    upload: { types: 'image/*', maximum: 15 * 1024 * 1024 },
    reply: church,
  },
  'DELETE /api/church/picture': {
    summary: 'Removes the picture and what it shows.',
    reply: church,
  },
  'GET /api/schedule': {
    summary:
      'When services are, and the next eight for which an RSVP can be sent. Until it is `confirmed`, it is the default: Saturday at 10:00 where the server is.',
    access: 'public',
    reply: currentSchedule,
  },
  'PATCH /api/schedule': {
    summary:
      'Changes some of it, and confirms the rest. RSVPs for services to come move along with a changed weekday: `movedRsvps` says how many, and `movedDays` how far, which the opposite number as `moveDays` takes back; `skippedRsvps`, how many are for the services that are skipped from now on; `movedSkippedDates`, how many skipped dates moved along.',
    input: scheduleChange,
    reply: changedSchedule,
  },
  'PATCH /api/services/[date]': {
    summary:
      'Says how many people really came to the service on a day that is not to come: `turnout`, from 0 to 100,000; `null` removes it.',
    input: z.omit(turnoutChange, { date: true }),
    reply: changedTurnout,
  },
  'GET /api/calendar': {
    summary:
      'The addresses that put the services into a Google calendar or any other, each week on the `weekday`; `null` while the feature is off, or the schedule is a default that the texts of the event contradict.',
    access: 'public',
    reply: z.nullable(calendarLinks),
  },
  'GET /api/session': {
    summary: 'Whether a password is set, and whether this browser has signed in.',
    access: 'public-or-admin',
    reply: access,
  },
  'POST /api/session': {
    summary: 'Signs in.',
    access: 'public-or-admin',
    input: z.pick(signInRequest, { password: true }),
    form: true,
    status: 204,
  },
  'DELETE /api/session': { summary: 'Signs out.', access: 'public-or-admin', status: 204 },
  'GET /api/health': {
    summary:
      'Whether the site can do all it is for: the database can be read and written; 503 with the reason when it cannot. For whoever has to be told. Do not restart the site for it: a full disk stays full.',
    access: 'public',
    reply: z.object({ status: z.literal('ok') }),
  },
  'GET /api/ready': {
    summary:
      'Whether this site should get requests: 503 with the reason while it stops, and while its database cannot be read. One that cannot store stays ready, because reading goes on. For a load balancer, and for whatever replaces one site with another.',
    access: 'public',
    reply: z.object({ status: z.literal('ready') }),
  },
} as const satisfies Record<`${Method} /api/${string}`, CallDescription>

export type CallName = keyof typeof calls
