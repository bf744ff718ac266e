import type { InputEvent } from 'react'
import type { ReplyOf } from '#site/call-types.ts'
import { splitNameLists } from '#site/lib/form-events.ts'
import { type KeptRsvp, keepRsvp } from '#site/lib/outbox.ts'
import { type Recorded, recordedOf } from '#site/lib/recorded.ts'
import { newKey, ResponseError, request } from '#site/lib/request.ts'
import { choicesFor, type RoleChoice } from '#site/lib/role-choices.ts'
import { checkDraft, readForm, toRsvpInput } from '#site/lib/rsvp-draft.ts'
import { readText, writeText } from '#site/lib/storage.ts'
import { t } from '#site/texts/texts.ts'
import { requestSync } from './kept-rsvps.ts'
import { $ownRsvps } from './own-rsvps.ts'
import {
  changeForm,
  checkChanged,
  emptyDraft,
  failAttempt,
  notSent,
  type RsvpFormStore,
  rsvpDraft,
} from './rsvp-form.ts'
import { thank } from './thanks.ts'
import { addErrorToast, addToast } from './toasts.ts'

/** In session storage: the last key with the RSVP sent under it, until that is known to be stored. */
const PENDING = 'rsvp-unanswered'
const KEY_LENGTH = 32

type Input = ReturnType<typeof toRsvpInput>
type Stored = ReplyOf<'POST /api/rsvp'>

let pending = ''

/** Keeps the draft of a touched form, and shows the roles for the chosen service. */
export function followForm($form: RsvpFormStore, element: HTMLFormElement | null, offered: RoleChoice[]): void {
  if (element === null) return
  const fields = new FormData(element)
  rsvpDraft.keep(encodedFields(fields).toString())
  changeForm($form, { roles: choicesFor(offered, readForm(fields).serviceDate) })
}

/** Drops the message of the field that has just been changed, if it is right now. */
export function checkAgain($form: RsvpFormStore, { target, currentTarget }: InputEvent<HTMLFormElement>): void {
  if ($form.get().errors.length === 0) return
  const found = checkDraft(readForm(new FormData(currentTarget)))
  checkChanged($form, found, target instanceof Element ? target.getAttribute('name') : null)
}

/** Restores the draft of this tab, except in fields that were filled in early or by the browser. */
export function restoreForm($form: RsvpFormStore, element: HTMLFormElement): void {
  const kept = rsvpDraft.restore()
  // Not by `stored.size`: Safari before 17 has none.
  if (!kept) return
  const stored = new URLSearchParams(kept)
  const current = new FormData(element)
  const fields = encodedFields(current)
  for (const [name, value] of [...fields]) if (!value) fields.delete(name)
  stored.forEach((value, name) => {
    if (!current.get(name)) fields.append(name, value)
  })
  restoreServerFields(element, stored)
  const day = stored.get('serviceDate')
  // A form always has a day, so the first one counts as not chosen.
  if (day && element.querySelector<HTMLSelectElement>('[name=serviceDate]')?.selectedIndex === 0)
    fields.set('serviceDate', day)
  changeForm($form, { draft: readForm(fields) })
}

/** What the server draws into the form is never rendered again. */
function restoreServerFields(form: HTMLFormElement, stored: URLSearchParams): void {
  for (const field of form.querySelectorAll<HTMLInputElement>('astro-slot input')) {
    const early = form.querySelector(`[name="${field.name}"]:checked:not([checked])`)
    if (early === null && stored.get(field.name) === field.value) field.checked = true
  }
}

function encodedFields(fields: FormData): URLSearchParams {
  return new URLSearchParams(Array.from(fields, ([name, value]) => [name, String(value)]))
}

/** Checks the form as the server will, sends it, and reports the result. */
export async function submitForm($form: RsvpFormStore, form: HTMLFormElement, offered: RoleChoice[]): Promise<void> {
  splitNameLists(form)
  const draft = readForm(new FormData(form))
  const errors = checkDraft(draft)
  if (errors.length > 0) return failAttempt($form, errors)
  const rsvp = toRsvpInput(draft)
  const { attending = false, volunteerRoles } = rsvp
  const roles = offered.filter(({ id }) => volunteerRoles.includes(id)).map(({ name }) => name)
  const recorded = recordedOf({ ...rsvp, attending, roles })
  let stored: Stored | undefined
  try {
    stored = await post(rsvp)
  } catch (error) {
    const refusal = error instanceof ResponseError ? error : undefined
    const isKept = !refusal && !navigator.onLine && (await keepForLater(rsvp, recorded))
    if (!isKept) return showRefusal($form, refusal)
  }
  // The form is emptied first, and its key forgotten last: a bug in between must not have the RSVP sent twice.
  rsvpDraft.forget()
  const round = $form.get().round + 1
  changeForm($form, { draft: emptyDraft, errors: [], failed: undefined, round, pending: false })
  if (stored) {
    addToast({ title: t('RSVP Submitted'), description: t('Thank you for your response!') })
    thank({ ...recorded, link: stored.link, mail: stored.mail })
    listOwn(rsvp, stored.id)
  } else requestSync()
  rememberPending('')
}

function showRefusal($form: RsvpFormStore, refusal: ResponseError | undefined): void {
  // An earlier try was stored, and deleted since: the visitor has to know that before sending it again.
  const deleted = refusal?.status === 409 ? refusal.detail : undefined
  addErrorToast(deleted ?? t('Failed to submit RSVP. Please try again.'))
  failAttempt($form, refusal?.fields ?? [], deleted ?? notSent())
}

/** @returns false if the browser denies it. */
async function keepForLater(rsvp: Input, recorded: Recorded): Promise<boolean> {
  const body = JSON.stringify(rsvp)
  const draft = rsvpDraft.restore() ?? ''
  const kept: KeptRsvp = { key: keyFor(body), body, formAge: formAge(), draft, recorded, state: 'waiting' }
  return keepRsvp(kept).then(
    () => true,
    () => false,
  )
}

async function post(rsvp: Input): Promise<Stored> {
  const reply = await request('POST /api/rsvp', {
    body: rsvp,
    headers: {
      'Idempotency-Key': keyFor(JSON.stringify(rsvp)),
      // The time since the page was opened: a script fills in the form faster than a person.
      'Form-Age': formAge(),
    },
  }).catch((error) => {
    // The key is used up: its RSVP was deleted since, or is another one.
    if (error.status === 409 || error.status === 422) rememberPending('')
    throw error
  })
  // A reply that cannot be read is a success as well: its row gets a unique negative id.
  return reply.json().catch(() => ({ id: -1 - $ownRsvps.get().length }))
}

/** In the list of the page; without an id it is not in the public list. */
function listOwn({ name, attending = false, familyMembers, serviceDate }: Input, id: number | undefined): void {
  if (!id) return
  const coming = [{ attending }, ...familyMembers].filter((person) => person.attending).length
  const own = { id, name: name.trim(), attending, coming, serviceDate, createdAt: new Date().toISOString() }
  $ownRsvps.set([own, ...$ownRsvps.get().filter((each) => each.id !== id)])
}

function formAge(): string {
  return String(Math.round(performance.now()))
}

/** A repetition keeps its key, so as not to be stored twice; changed content gets a new one. */
function keyFor(content: string): string {
  const last = pending || readText(PENDING)
  rememberPending(last.slice(KEY_LENGTH) === content ? last : newKey() + content)
  return pending.slice(0, KEY_LENGTH)
}

function rememberPending(keyAndContent: string): void {
  pending = keyAndContent
  writeText(PENDING, keyAndContent)
}
