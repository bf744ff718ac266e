import type { Administrator } from '#db/access/schema.ts'
import { request } from '#site/lib/request.ts'
import { createResource } from '#site/stores/resources.ts'
import { t } from '#site/texts/texts.ts'
import { differing, makeChangeable, type Refuse, tellFailedAct, tellInForm } from './changeable.ts'
import { withProof } from './proof.ts'
import { reasonOr } from './reason.ts'

export const administrators = makeChangeable(
  createResource('/api/administrators', (error) => tellFailedAct(t('Failed to load settings'), error)),
)

type TypedAdministrator = Pick<Administrator, 'name' | 'role' | 'seesContacts'> & { email: string }

/** @returns the invitation link, which cannot be read again; undefined if it failed, which has been said. */
export function inviteAdministrator(
  current: Administrator[],
  typed: TypedAdministrator,
  refuse: Refuse,
): Promise<string | undefined> {
  return invite(current, () => request('POST /api/administrators', { body: typed }), refuse)
}

/** Makes a new link; the earlier one no longer works. @returns as `inviteAdministrator`. */
export function renewInvitation(current: Administrator[], { id }: Administrator): Promise<string | undefined> {
  return invite(current, () => request(`POST /api/administrators/${id}/invitation`))
}

/** Sends only what was changed: another owner may have changed the rest. */
export function saveAdministrator(
  current: Administrator[],
  person: Administrator,
  typed: TypedAdministrator,
  refuse: Refuse,
): Promise<boolean> {
  const changed = differing(typed, person)
  if (Object.keys(changed).length === 0) return Promise.resolve(true)
  return administrators.change(current, {
    show: (shown) => shown.map((other) => (other.id === person.id ? { ...other, ...changed } : other)),
    send: async (stored) => {
      const reply = await withProof(() => request(`PATCH /api/administrators/${person.id}`, { body: changed }))
      const saved = await reply.json()
      return stored.map((other) => (other.id === saved.id ? saved : other))
    },
    notice: { title: t('Settings Updated'), description: t('It counts from now on.') },
    failure: reasonOr(t('The site could not save it. Please try again.')),
    refuse,
    tell: tellInForm(refuse),
  })
}

export function removeAdministrator(current: Administrator[], { id, name }: Administrator): Promise<boolean> {
  return administrators.change(current, {
    send: async (stored) => {
      await withProof(() => request(`DELETE /api/administrators/${id}`))
      return stored.filter((other) => other.id !== id)
    },
    notice: { title: t('Settings Updated'), description: t('{name} is signed out everywhere.', { name }) },
    failure: reasonOr(t('Failed to remove it')),
  })
}

async function invite(
  current: Administrator[],
  post: () => Promise<{ json: () => Promise<{ link: string }> }>,
  refuse?: Refuse,
): Promise<string | undefined> {
  let link: string | undefined
  await administrators.change(current, {
    send: async (stored) => {
      link = (await (await withProof(post)).json()).link
      // Who was invited follows with the next read, if this one fails: the link must not be lost.
      return readAgain().catch(() => stored)
    },
    failure: reasonOr(t('The site could not save it. Please try again.')),
    refuse,
    tell: refuse && tellInForm(refuse),
  })
  return link
}

async function readAgain(): Promise<Administrator[]> {
  return (await request('GET /api/administrators')).json()
}
