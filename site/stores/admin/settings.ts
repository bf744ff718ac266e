import type { AuditPage } from '#db/values/audit.ts'
import type { ChurchTexts } from '#db/values/church.ts'
import type { FeatureName, Features } from '#db/values/features.ts'
import type { Language } from '#db/values/languages.ts'
import type { Settings } from '#db/values/settings.ts'
import type { OfferedRole } from '#db/values/volunteer-role.ts'
import { request } from '#site/lib/request.ts'
import { createResource } from '#site/stores/resources.ts'
import { addToast } from '#site/stores/toasts.ts'
import { t } from '#site/texts/texts.ts'
import { attempt, download, type Refuse, showFailure } from './attempt.ts'
import { changeableAt, differing } from './changeable.ts'

export const features = changeableAt('/api/features')

/** Shows the change at once and sends it; reverts it if that fails. */
export function changeFeature(current: Features, name: FeatureName, enabled: boolean): Promise<boolean> {
  return features.change(() => request('PATCH /api/features', { body: { [name]: enabled } }), {
    shown: { ...current, [name]: enabled },
    notice: { title: t('Features Updated'), description: t('Feature settings have been saved successfully.') },
  })
}

export const settings = changeableAt('/api/settings')

/** Shows the change at once and sends it; reverts it if that fails. */
export async function changeSettings(
  current: Settings,
  body: Partial<Settings>,
  description: string,
  refuse?: Refuse,
): Promise<boolean> {
  if (Object.keys(body).length === 0) return true
  return settings.change(() => request('PATCH /api/settings', { body }), {
    shown: { ...current, ...body },
    notice: { title: t('Settings Updated'), description },
    refuse,
  })
}

/** How many responses a retention would anonymize now; undefined if that is not known, as a notice then says. */
export function countOldRsvps(days: number): Promise<number | undefined> {
  const count = async () => (await (await request(`GET /api/settings?olderThan=${days}`)).json()).old
  return attempt(count, { failure: t('The responses could not be counted') })
}

export const backups = changeableAt('/api/backups')

export function makeBackup(): Promise<boolean> {
  return backups.change(() => request('POST /api/backups'), {
    notice: { title: t('Backup Made'), description: t('Everything that is stored now is in it.') },
    failure: t('No backup could be made.'),
  })
}

export function downloadBackup(): Promise<void> {
  const call = () => request('POST /api/backups/download')
  return download(call, 'rsvp.db', t('The backup could not be downloaded. Try again.'))
}

const auditFailed = () => t('The audit could not be loaded.')

/** Its newest page. */
export const $audit = createResource('/api/audit', (error) => showFailure(auditFailed(), error))

/** Reads the page with ids below this one; undefined if that failed, after showing why. */
export function readAudit(before: number): Promise<AuditPage | undefined> {
  const read = async () => (await request(`GET /api/audit?before=${before}`)).json()
  return attempt(read, { failure: auditFailed() })
}

export const church = changeableAt('/api/church')

export function changeChurch(body: Partial<ChurchTexts>): Promise<boolean> {
  return church.change(() => request('PATCH /api/church', { body }), {
    notice: {
      title: t('Church Saved'),
      description: t('Pages show it from now on. Reload this one to see a new color here.'),
    },
  })
}

/** A large picture is scaled down before it is sent. */
export function changePicture(file: Blob): Promise<boolean> {
  return church.change(async () => request('PUT /api/church/picture', { upload: await smallerPicture(file) }), {
    notice: { title: t('Picture Saved'), description: t('Pages show it from now on. Say below what it shows.') },
    failure: t('The picture could not be sent. Please try again.'),
  })
}

export function removePicture(): Promise<boolean> {
  return church.change(() => request('DELETE /api/church/picture'), {
    notice: { title: t('Picture Removed'), description: t('Pages no longer show a picture.') },
  })
}

export const volunteerRoles = changeableAt('/api/volunteer-roles')

/** `needed` is null for any number of people. */
export type TypedRole = { name: string; needed: number | null }

export function createVolunteerRole(body: TypedRole, refuse: Refuse): Promise<boolean> {
  return changeRoles(() => request('POST /api/volunteer-roles', { body }), refuse)
}

/** Sends only what was changed: another administrator may have changed the rest. */
export async function saveVolunteerRole(role: OfferedRole, typed: TypedRole, refuse: Refuse): Promise<boolean> {
  const body = differing(typed, { ...role, needed: role.needed ?? null })
  if (Object.keys(body).length === 0) return true
  return changeRoles(() => request(`PATCH /api/volunteer-roles/${role.id}`, { body }), refuse)
}

/** A retired role is no longer offered; the responses that chose it keep it. */
export function retireVolunteerRole({ id }: OfferedRole): Promise<boolean> {
  return changeRoles(() => request(`PATCH /api/volunteer-roles/${id}`, { body: { retired: true } }))
}

function changeRoles(act: () => Promise<unknown>, refuse?: Refuse): Promise<boolean> {
  const notice = { title: t('Roles Updated'), description: t('The volunteer roles have been saved.') }
  return volunteerRoles.change(act, { notice, refuse })
}

export const eventLanguages = changeableAt('/api/event/translations')

export function changeEventLanguage(language: Language): Promise<boolean> {
  return eventLanguages.change(() => request('PATCH /api/event/translations', { body: { language } }), {
    notice: { title: t('Language Saved'), description: t('Screen readers now read the event in that language.') },
  })
}

/**
 * Replaces the texts of one language.
 * @param typed by field: those of the event, and e.g. `role.3` for the name of a role.
 */
export function saveTranslation(language: Language, typed: FormData): Promise<boolean> {
  const roles: Record<string, string> = {}
  const texts: Record<string, string> = {}
  for (const [name, text] of typed) {
    if (name.startsWith('role.')) roles[name.slice('role.'.length)] = String(text)
    else texts[name] = String(text)
  }
  const body = { ...texts, roles }
  return eventLanguages.change(() => request(`PUT /api/event/translations/${language}`, { body }), {
    notice: { title: t('Translation Saved'), description: t('Visitors who choose that language read it from now on.') },
  })
}

/** Visitors then read the event as it was first written. */
export function removeTranslation(language: Language): Promise<boolean> {
  return eventLanguages.change(() => request(`PUT /api/event/translations/${language}`, { body: {} }), {
    notice: { title: t('Translation Removed'), description: t('Visitors read the event as it was first written.') },
  })
}

export const mail = changeableAt('/api/mail')

/** Queues messages once more that were given up, or of which it is unknown whether they were sent. */
export function retryMail(ids: number[]): Promise<boolean> {
  const retry = async () => (await request('POST /api/mail/retry', { body: { ids } })).json()
  return mail.change(retry, {
    notice: ({ queued }) =>
      queued === 0
        ? { title: t('Not Sent Again'), description: t('Its time is over, or its address is no longer known.') }
        : { title: t('Waiting to be Sent'), description: t('It goes out within a minute.') },
    failure: t('It could not be sent again. Please try again.'),
  })
}

export async function sendTestMail(to: string): Promise<void> {
  const failure = t('The test message could not be sent.')
  const sent = await attempt(() => request('POST /api/mail/test', { body: { to } }), { failure })
  if (sent)
    addToast({ title: t('Test Message Sent'), description: t('Look into the mailbox of {address}.', { address: to }) })
}

/** For slow lines, and for proxies that allow one megabyte. */
const BYTES_SENT = 900_000
/** In pixels; the server keeps fewer. */
const SIDE_SENT = 2000
const QUALITY = 0.85
/** The types that the server reads. A browser may read more, e.g. HEIC from iPhones. */
const READ_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/avif']

/** Small files as they are, others redrawn as JPEG. If that fails, the server says why it refuses the file. */
async function smallerPicture(file: Blob): Promise<Blob> {
  if (file.size <= BYTES_SENT && READ_TYPES.includes(file.type)) return file
  return (await drawn(file).catch(() => null)) ?? file
}

async function drawn(file: Blob): Promise<Blob | null> {
  const bitmap = await createImageBitmap(file)
  const scale = Math.min(1, SIDE_SENT / Math.max(bitmap.width, bitmap.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(bitmap.width * scale)
  canvas.height = Math.round(bitmap.height * scale)
  const context = canvas.getContext('2d')
  if (context === null) return null
  // In a JPEG, transparent parts would be black.
  context.fillStyle = '#fff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', QUALITY))
}
