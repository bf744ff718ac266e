import { lastWordFirst, type SameSender } from '#db/rsvp/proposal.ts'
import { type StoredRsvp, storedRsvps } from '#db/rsvp/schema.ts'
import { revisionOf } from '#db/rsvp/stored.ts'
import type { Entry } from '#site/lib/entry-form.ts'
import { ResponseError, request } from '#site/lib/request.ts'
import { addToast } from '#site/stores/toasts.ts'
import { plural } from '#site/texts/plural.ts'
import { t } from '#site/texts/texts.ts'
import { type MergedFrom, reloadWithToast } from './carried-toast.ts'
import { restoreRsvps } from './deleted-rsvps.ts'
import { type Refusal, refusalOf } from './entry.ts'
import { tellFailedAct } from './failed-act.ts'

/** All responses of a person for a service, what was said last first; undefined where there is nothing to merge any more. */
export async function loadSameSender(id: number): Promise<SameSender | undefined> {
  try {
    const reply = await request(`GET /api/rsvps?same=${id}`)
    const group = lastWordFirst(storedRsvps.parse(await reply.json()))
    if (group !== undefined && group.length > 1) return group
    tellNothingWent()
  } catch (error) {
    tellFailedAct(t('The responses could not be loaded.'), error)
  }
  return undefined
}

/** Merges the responses into the newest, as entered, unless that was changed meanwhile; then loads the page again. */
export async function mergeEntry([newest]: SameSender, entry: Entry): Promise<Refusal | undefined> {
  try {
    const headers = { 'If-Match': `"${revisionOf(newest)}"` }
    const reply = await request(`POST /api/rsvps/${newest.id}/merge`, { body: entry, headers })
    const { merged, changedAt } = await reply.json()
    const description = plural(
      merged.length,
      '{count} response was merged into the newest.',
      '{count} responses were merged into the newest.',
    )
    // Whoever merges one person after the other stays where they are, not in the table far below.
    const next = '.duplicates__person button'
    reloadWithToast({ title: t('Responses Merged'), description, deleted: merged, next, kept: { newest, changedAt } })
    return undefined
  } catch (error) {
    return refusalOf('save', error)
  }
}

/** Brings back what was merged, and what the newest said before, unless that was changed since. */
export async function undoMerge(merged: number[], { newest, changedAt }: MergedFrom): Promise<void> {
  try {
    await request(`PATCH /api/rsvps/${newest.id}`, {
      body: asEntered(newest),
      headers: { 'If-Match': `"${revisionOf({ changedAt })}"` },
    })
  } catch (error) {
    // Where the newest was changed since, is gone or is refused, it stays as it is: the others come back beside it.
    if (!(error instanceof ResponseError)) return tellFailedAct(t('Failed to restore RSVPs'), error)
  }
  await restoreRsvps(merged)
}

function asEntered({ name, email, phone, message, attending, serviceDate, changedAt, ...rsvp }: StoredRsvp) {
  return {
    ...{ name, email, phone: phone ?? '', message: message ?? '', attending, serviceDate, changedAt },
    familyMembers: rsvp.familyMembers.map((member) => ({ ...member, age: member.age ?? '' })),
    volunteerRoles: rsvp.volunteerSignups.map(({ role }) => role.id),
  }
}

/** Another administrator was first, or a sender has changed one: what is shown is not what there is. */
function tellNothingWent(): void {
  addToast({
    title: t('Nothing Merged'),
    description: t('These responses were merged or changed meanwhile. Reload the page to see what there is now.'),
    variant: 'destructive',
    action: { label: t('Reload'), altText: t('Show what is there by now'), onPress: () => location.reload() },
  })
}
