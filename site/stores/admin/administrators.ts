import type { Administrator } from '#db/access/schema.ts'
import { request } from '#site/lib/request.ts'
import { t } from '#site/texts/texts.ts'
import { changeableAt, differing, type Refuse } from './changeable.ts'
import { withProof } from './proof.ts'
import { reasonOr } from './reason.ts'

export const administrators = changeableAt('/api/administrators')

type TypedAdministrator = Pick<Administrator, 'name' | 'role' | 'seesContacts'> & { email: string }

/**
 * Invites a new person, or makes a new link for one who was: an earlier link no longer works.
 * @returns the link, which cannot be read again; undefined if it failed, which has been said.
 */
export async function inviteAdministrator(
  current: Administrator[],
  who: TypedAdministrator | { id: number },
  refuse?: Refuse,
): Promise<string | undefined> {
  let link: string | undefined
  await administrators.change(current, {
    send: async (stored) => {
      const post = () =>
        'id' in who
          ? request(`POST /api/administrators/${who.id}/invitation`)
          : request('POST /api/administrators', { body: who })
      link = (await (await withProof<{ json: () => Promise<{ link: string }> }>(post)).json()).link
      return readAgain(stored)
    },
    failure: reasonOr(t('Failed to save it')),
    refuse,
    inDialog: true,
  })
  return link
}

/** Sends only what was changed: another owner may have changed the rest. */
export async function saveAdministrator(
  current: Administrator[],
  person: Administrator,
  typed: TypedAdministrator | Pick<Administrator, 'prayers'>,
  refuse: Refuse,
): Promise<boolean> {
  const body = differing(typed, person)
  if (Object.keys(body).length === 0) return true
  return administrators.change(current, {
    send: async (stored) => {
      const saved = await (await withProof(() => request(`PATCH /api/administrators/${person.id}`, { body }))).json()
      return readAgain(stored.map((other) => (other.id === saved.id ? saved : other)))
    },
    notice: { title: t('Settings Updated'), description: t('It counts from now on.') },
    failure: reasonOr(t('The site could not save it. Please try again.')),
    refuse,
    inDialog: true,
  })
}

export function removeAdministrator(current: Administrator[], { id, name }: Administrator): Promise<boolean> {
  return administrators.change(current, {
    send: async (stored) => {
      await withProof(() => request(`DELETE /api/administrators/${id}`))
      return readAgain(stored.filter((other) => other.id !== id))
    },
    notice: { title: t('Settings Updated'), description: t('{name} is signed out everywhere.', { name }) },
    failure: reasonOr(t('Failed to remove it')),
  })
}

/** An act may change others too, e.g. end their invitations. What is `known` stays if that fails: the act has not. */
async function readAgain(known: Administrator[]): Promise<Administrator[]> {
  return request('GET /api/administrators')
    .then((reply) => reply.json())
    .catch(() => known)
}
