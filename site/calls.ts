import * as z from 'zod/mini'
import { backups } from '#db/values/backups.ts'
import { church, churchChange } from '#db/values/church.ts'
import { eventLanguages, eventPayload, namedLanguage, translatedTexts } from '#db/values/event.ts'
import { featureChange, features } from '#db/values/features.ts'
import { erasureRequest } from '#db/values/rsvp.ts'
import { changedSchedule, changedTurnout, currentSchedule, scheduleChange, turnoutChange } from '#db/values/schedule.ts'
import { settings, settingsChange, settingsRequest } from '#db/values/settings.ts'
import { newVolunteerRole, offeredRole, volunteerRoleChange } from '#db/values/volunteer-role.ts'
import { accessCalls } from './access-calls.ts'
import type { CallTable } from './call-description.ts'
import { rsvpCalls } from './rsvp-calls.ts'

const islands = 'AdminTabs EventCard EventStart OwnRsvpForm Responses RsvpForm Toaster'.split(' ')
const errors =
  'Error AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError ResponseError AbortError ' +
  'DataCloneError InvalidStateError NetworkError NotFoundError NotSupportedError QuotaExceededError SecurityError'
const notFailure = 'Name only the part of the page, the class of the error, and the place in a script of this site.'
/** A failed part of a page. Its fields have no room for text that someone typed. */
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
  ...rsvpCalls,
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
} as const satisfies CallTable

/** A call as the table names it, e.g. `PATCH /api/rsvps/[id]`. */
export type CallName = keyof typeof calls

/** A call as a client writes it, with its id or date and an optional query, e.g. `PATCH /api/rsvps/12`. */
export type CallAddress = { [Name in CallName]: AddressOf<Name> }[CallName]

/** The paths of all GET calls, with an optional query. */
export type ReadPath = {
  [Name in CallName]: Name extends `GET ${infer Path}` ? Path | `${Path}?${string}` : never
}[CallName]

/** The call at an address, e.g. `PATCH /api/rsvps/[id]` at `PATCH /api/rsvps/12`. */
export type CallAt<Address extends string> = {
  [Name in CallName]: Address extends AddressOf<Name> ? Name : never
}[CallName]

/** The JSON that a call replies with. */
export type ReplyOf<Name extends CallName> = (typeof calls)[Name] extends { reply: infer Schema extends z.ZodMiniType }
  ? z.output<Schema>
  : unknown

/** The input fields of a call; only the server checks their values. */
export type BodyOf<Name extends CallName> = (typeof calls)[Name] extends { input: infer Schema extends z.ZodMiniType }
  ? { [Field in keyof z.input<Schema>]?: unknown }
  : never

export type HeadersOf<Name extends CallName> = (typeof calls)[Name] extends { headers: infer Headers }
  ? { [Header in keyof Headers]?: string }
  : never

type AddressOf<Name extends string> = Filled<Name> | `${Filled<Name>}?${string}`
type Filled<Name extends string> = Name extends `${infer Start}[${infer Parameter}]${infer End}`
  ? `${Start}${Parameter extends 'id' ? IdIn<Start> : string}${End}`
  : Name
/** Ids are numbers, but the id of a passkey is text that its authenticator chose. */
type IdIn<Start extends string> = Start extends `${string}/passkeys/` ? string : number
