import type { FieldError } from '#db/errors.ts'
import type { ReplyOf } from '#site/call-types.ts'
import { checkDraft } from '#site/lib/check-draft.ts'
import { notSent } from '#site/lib/not-sent.ts'
import { type KeptRsvp, keepRsvp } from '#site/lib/outbox.ts'
import { type Recorded, recordedOf } from '#site/lib/recorded.ts'
import { ResponseError, request } from '#site/lib/request.ts'
import { choicesFor, type RoleChoice } from '#site/lib/role-choices.ts'
import { RSVP_DRAFT, type RsvpDraft } from '#site/lib/rsvp-form.ts'
import { toRsvpInput } from '#site/lib/rsvp-input.ts'
import type { ServiceDay } from '#site/lib/service-days.ts'
import { readSession, writeSession } from '#site/lib/session.ts'
import { said } from '#site/texts/said.ts'
import { t } from '#site/texts/texts.ts'
import { wakeWorker } from './outbox.ts'
import { $ownRsvps } from './own-rsvps.ts'
import { listServiceDays } from './service-days.ts'
import { thank } from './thanks.ts'
import { addErrorToast, addToast } from './toasts.ts'

/** The last key with the RSVP sent under it, until that is known to be stored; survives a reload (session storage). */
const PENDING = 'rsvp-unanswered'
const KEY_LENGTH = 32
let pending = ''

type Stored = ReplyOf<'POST /api/rsvp'>

/**
 * Checks the draft as the server will, sends it, and tells the person how it went.
 * @returns as `failed` what is still said of it when the notice has gone; `isDone` if it was sent, or the device keeps it to send it later.
 */
export async function submitRsvp(
  draft: RsvpDraft,
  offered: RoleChoice[],
  showDays: (days: ServiceDay[]) => void,
  showRoles: (roles: RoleChoice[]) => void,
): Promise<{ errors: FieldError[]; failed?: string; isDone?: boolean }> {
  const errors = checkDraft(draft)
  if (errors.length > 0) return { errors }
  const rsvp = toRsvpInput(draft)
  const recorded = recordedOfInput(rsvp, offered)
  let link: string | undefined
  try {
    link = await post(rsvp)
  } catch (error) {
    const refusal = error instanceof ResponseError ? error : undefined
    if (!refusal && !navigator.onLine && (await keepForLater(rsvp, recorded))) return { errors: [], isDone: true }
    // Stored by an earlier try, and deleted since: the visitor has to know that to decide whether to send it again.
    const deleted = refusal?.status === 409 ? refusal.detail : undefined
    addErrorToast(deleted ? said(deleted) : t('Failed to submit RSVP. Please try again.'))
    const errors = (refusal?.fields ?? []).map(({ path, message }) => ({ path, message: said(message) }))
    await showChoices(errors, draft.serviceDate, showDays, showRoles)
    return {
      errors,
      failed: deleted ? said(deleted) : notSent(),
    }
  }
  addToast({ title: t('RSVP Submitted'), description: t('Thank you for your response!') })
  thank({ ...recorded, link })
  return { errors: [], isDone: true }
}

function recordedOfInput(
  { volunteerRoles, attending = false, ...sent }: ReturnType<typeof toRsvpInput>,
  offered: RoleChoice[],
): Recorded {
  const roles = offered.filter((role) => volunteerRoles.includes(role.id)).map((role) => role.name)
  return recordedOf({ ...sent, attending, roles })
}

/** @returns whether this device keeps it: a browser may deny that. */
async function keepForLater(rsvp: ReturnType<typeof toRsvpInput>, recorded: Recorded): Promise<boolean> {
  const body = JSON.stringify(rsvp)
  const draft = readSession(RSVP_DRAFT)
  const kept: KeptRsvp = { key: keyFor(body), body, formAge: formAge(), draft, recorded, state: 'waiting' }
  try {
    await keepRsvp(kept)
  } catch {
    return false
  }
  remember('')
  wakeWorker()
  return true
}

/** Where a choice is refused, what can be chosen by now. What cannot be read stays as it is. */
async function showChoices(
  errors: FieldError[],
  date: string | undefined,
  showDays: (days: ServiceDay[]) => void,
  showRoles: (roles: RoleChoice[]) => void,
): Promise<void> {
  const refused = errors.map(({ path }) => path)
  const days = refused.includes('serviceDate') && (await listServiceDays())
  if (days) showDays(days)
  if (!refused.includes('volunteerRoles')) return
  const reply = await request('GET /api/volunteer-roles').catch(() => undefined)
  const roles = await reply?.json().catch(() => undefined)
  if (roles) showRoles(choicesFor(roles, date))
}

/** @returns the private link. */
async function post(rsvp: ReturnType<typeof toRsvpInput>): Promise<string | undefined> {
  const reply = await request('POST /api/rsvp', {
    body: rsvp,
    headers: {
      'Idempotency-Key': keyFor(JSON.stringify(rsvp)),
      // Measured since the page was opened: a script fills in the form faster than a person.
      'Form-Age': formAge(),
    },
  }).catch((error) => {
    // The key is spent: what it has stored was deleted since, or is another response.
    if (error.status === 409 || error.status === 422) remember('')
    throw error
  })
  const { id, link } = await readReply(reply)
  remember('')
  // The reply has no id where the RSVP is not in the public list.
  if (!id) return link
  const { name, attending = false, familyMembers, serviceDate } = rsvp
  const coming = [{ attending }, ...familyMembers].filter((person) => person.attending).length
  const own = { id, name: name.trim(), attending, coming, serviceDate, createdAt: new Date().toISOString() }
  $ownRsvps.set([own, ...$ownRsvps.get().filter((each) => each.id !== id)])
  return link
}

/** The reply may be anything. One that cannot be read is a success as well: its row gets a number that no other has. */
async function readReply(reply: { json: () => Promise<Stored> }): Promise<Stored> {
  try {
    return await reply.json()
  } catch {
    return { id: -1 - $ownRsvps.get().length }
  }
}

function formAge(): string {
  return String(Math.round(performance.now()))
}

/** Trying the same again must not store it twice; what was changed in between must not be lost. */
function keyFor(content: string): string {
  const last = pending || readSession(PENDING)
  remember(last.slice(KEY_LENGTH) === content ? last : randomKey() + content)
  return pending.slice(0, KEY_LENGTH)
}

function remember(keyAndContent: string): void {
  pending = keyAndContent
  writeSession(PENDING, keyAndContent)
}

/** crypto.randomUUID is missing on plain http addresses. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
