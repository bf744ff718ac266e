import type { Administrator } from '#db/access/schema.ts'
import { request } from '#site/lib/request.ts'
import { t } from '#site/texts/texts.ts'
import type { Refuse } from './attempt.ts'
import { changeableAt, differing } from './changeable.ts'

export const administrators = changeableAt('/api/administrators')

type TypedAdministrator = Pick<Administrator, 'name' | 'role' | 'seesContacts'> & { email: string }

/**
 * Invites a new person, or makes a new link for one who was: an earlier link no longer works.
 * @returns the link, which cannot be read again; undefined if it failed, which has been said.
 */
export async function inviteAdministrator(
  who: TypedAdministrator | { id: number },
  refuse?: Refuse,
): Promise<string | undefined> {
  let link: string | undefined
  const invite = async () => {
    const reply: { json: () => Promise<{ link: string }> } =
      'id' in who
        ? await request(`POST /api/administrators/${who.id}/invitation`)
        : await request('POST /api/administrators', { body: who })
    link = (await reply.json()).link
    return link
  }
  await administrators.change(invite, { failure: t('Failed to save it'), refuse, inDialog: true })
  return link
}

/** Sends only what was changed: another owner may have changed the rest. */
export async function saveAdministrator(
  person: Administrator,
  typed: TypedAdministrator | Pick<Administrator, 'prayers'>,
  refuse: Refuse,
): Promise<boolean> {
  const body = differing(typed, person)
  if (Object.keys(body).length === 0) return true
  return administrators.change(() => request(`PATCH /api/administrators/${person.id}`, { body }), {
    notice: { title: t('Settings Updated'), description: t('It counts from now on.') },
    failure: t('The site could not save it. Please try again.'),
    refuse,
    inDialog: true,
  })
}

export function removeAdministrator({ id, name }: Administrator): Promise<boolean> {
  return administrators.change(() => request(`DELETE /api/administrators/${id}`), {
    notice: { title: t('Settings Updated'), description: t('{name} is signed out everywhere.', { name }) },
    failure: t('Failed to remove it'),
  })
}
