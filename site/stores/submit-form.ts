import type { InputEvent } from 'react'
import type { ReplyOf } from '#site/calls.ts'
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

/** The key in session storage of the last Idempotency-Key and the RSVP sent with it, until that is known to be stored. */
const PENDING = 'rsvp-unanswered'
const KEY_LENGTH = 32

type Input = ReturnType<typeof toRsvpInput>
type Stored = ReplyOf<'POST /api/rsvp'>

let pendingKeyAndBody = ''

/** Stores the draft, and shows the roles for the chosen service. */
export function followForm($form: RsvpFormStore, element: HTMLFormElement | null, offered: RoleChoice[]): void {
  if (element === null) return
  const fields = new FormData(element)
  rsvpDraft.keep(encodedFields(fields).toString())
  changeForm($form, { roles: choicesFor(offered, readForm(fields).serviceDate) })
}

/** Removes the error of the field that has just been changed if the field is now valid. */
export function checkAgain($form: RsvpFormStore, { target, currentTarget }: InputEvent<HTMLFormElement>): void {
  if ($form.get().errors.length === 0) return
  const errors = checkDraft(readForm(new FormData(currentTarget)))
  checkChanged($form, errors, target instanceof Element ? target.getAttribute('name') : null)
}

/** Restores the draft of this tab, except in fields that the visitor or the browser has filled in already. */
export function restoreForm($form: RsvpFormStore, element: HTMLFormElement): void {
  const kept = rsvpDraft.restore()
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
  // One day is always selected, so the first one counts as not chosen.
  if (day && element.querySelector<HTMLSelectElement>('[name=serviceDate]')?.selectedIndex === 0)
    fields.set('serviceDate', day)
  changeForm($form, { draft: readForm(fields) })
}

/** React does not render the fields that the server draws into slots. */
function restoreServerFields(form: HTMLFormElement, stored: URLSearchParams): void {
  for (const field of form.querySelectorAll<HTMLInputElement>('astro-slot input')) {
    const alreadyChosen = form.querySelector(`[name="${field.name}"]:checked:not([checked])`)
    if (alreadyChosen === null && stored.get(field.name) === field.value) field.checked = true
  }
}

function encodedFields(fields: FormData): URLSearchParams {
  return new URLSearchParams(Array.from(fields, ([name, value]) => [name, String(value)]))
}

/** Validates the form as the server does, sends it, and reports the result. */
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
  // The form is emptied first and its key removed last, so that a bug in between does not have the RSVP sent twice.
  rsvpDraft.forget()
  const round = $form.get().round + 1
  changeForm($form, { draft: emptyDraft, errors: [], failed: undefined, round, pending: false })
  if (stored) {
    addToast({ title: t('RSVP Submitted'), description: t('Thank you for your response!') })
    thank({ ...recorded, link: stored.link, mail: stored.mail })
    listOwn(rsvp, stored.id)
  } else requestSync()
  storePending('')
}

function showRefusal($form: RsvpFormStore, refusal: ResponseError | undefined): void {
  // An earlier attempt was stored and then deleted: the visitor must know before sending the RSVP again.
  const deleted = refusal?.status === 409 ? refusal.detail : undefined
  addErrorToast(deleted ?? t('Failed to submit RSVP. Please try again.'))
  failAttempt($form, refusal?.fields ?? [], deleted ?? notSent())
}

/** @returns whether the browser could store the RSVP. */
async function keepForLater(rsvp: Input, recorded: Recorded): Promise<boolean> {
  const body = JSON.stringify(rsvp)
  const draft = rsvpDraft.restore() ?? ''
  const kept: KeptRsvp = { key: keyFor(body), body, formAge: formAge(), draft, recorded, state: 'waiting' }
  try {
    await keepRsvp(kept)
    return true
  } catch {
    return false
  }
}

async function post(rsvp: Input): Promise<Stored> {
  const reply = await request('POST /api/rsvp', {
    body: rsvp,
    headers: {
      'Idempotency-Key': keyFor(JSON.stringify(rsvp)),
      'Form-Age': formAge(),
    },
  }).catch((error) => {
    // The RSVP of this key was deleted, or is a different one.
    if (error.status === 409 || error.status === 422) storePending('')
    throw error
  })
  // The RSVP is stored even if the reply cannot be read. Its row then gets a unique negative id.
  return reply.json().catch(() => ({ id: -1 - $ownRsvps.get().length }))
}

/** Adds the RSVP to the list on the page. Without an id it is not in the public list. */
function listOwn({ name, attending = false, familyMembers, serviceDate }: Input, id: number | undefined): void {
  if (!id) return
  const coming = [{ attending }, ...familyMembers].filter((person) => person.attending).length
  const own = { id, name: name.trim(), attending, coming, serviceDate, createdAt: new Date().toISOString() }
  $ownRsvps.set([own, ...$ownRsvps.get().filter((each) => each.id !== id)])
}

/** The time since the page was opened, in ms: a script fills in the form faster than a person. */
function formAge(): string {
  return String(Math.round(performance.now()))
}

/** The same body keeps its Idempotency-Key, so that a retry is not stored twice. Another body gets a new one. */
function keyFor(body: string): string {
  const last = pendingKeyAndBody || readText(PENDING)
  storePending(last.slice(KEY_LENGTH) === body ? last : newKey() + body)
  return pendingKeyAndBody.slice(0, KEY_LENGTH)
}

function storePending(keyAndBody: string): void {
  pendingKeyAndBody = keyAndBody
  writeText(PENDING, keyAndBody)
}
