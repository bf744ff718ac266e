import type { Account, Administrator } from '#db/values/access.ts'
import type { MailChoice } from '#db/values/mail.ts'
import { request } from '#site/lib/request.ts'
import { t } from '#site/texts/texts.ts'
import type { Refuse } from './attempt.ts'
import { changeableAt, differing } from './changeable.ts'

export const administrators = changeableAt('/api/administrators')

type TypedAdministrator = Pick<Administrator, 'name' | 'role' | 'seesContacts'> & { email: string }

/**
 * Invites a new person, or makes a new link for one who was: an earlier link no longer works.
 * @returns the link, which cannot be read again; undefined if that failed, after showing why.
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
  await administrators.change(invite, { refuse, inDialog: true })
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
    refuse,
    inDialog: true,
  })
}

export function removeAdministrator({ id, name }: Administrator): Promise<boolean> {
  return administrators.change(() => request(`DELETE /api/administrators/${id}`), {
    notice: { title: t('Settings Updated'), description: t('{name} is signed out everywhere.', { name }) },
  })
}

export const account = changeableAt('/api/account')

/** Sends only what was changed. */
export async function changeAccount(
  current: Account,
  typed: { name?: string; email?: string; password?: string },
  refuse: Refuse,
): Promise<boolean> {
  const body = differing(typed, { ...current, email: current.email ?? '' })
  if (Object.keys(body).length === 0) return true
  const description = body.password ? t('You are signed out in all other browsers.') : t('It counts from now on.')
  return account.change(() => request('PATCH /api/account', { body }), {
    notice: { title: t('Settings Updated'), description },
    refuse,
  })
}

export function changeOwnMail(current: Account, mail: MailChoice[]): Promise<boolean> {
  return account.change(() => request('PATCH /api/account', { body: { mail } }), { shown: { ...current, mail } })
}

/** The browser asks for the finger, the face or the PIN of its device. */
export function addPasskey(name: string, refuse: Refuse): Promise<boolean> {
  const add = async () => {
    const { makePasskey } = await import('#site/lib/passkeys.ts')
    return request('POST /api/passkeys', { body: { name, passkey: await makePasskey() } })
  }
  return account.change(add, {
    notice: { title: t('Settings Updated'), description: t('From now on you can sign in with it.') },
    refuse,
  })
}

export function removePasskey(id: string): Promise<boolean> {
  return account.change(() => request(`DELETE /api/passkeys/${encodeURIComponent(id)}`), {
    notice: { title: t('Settings Updated'), description: t('No one can sign in with it any more.') },
  })
}

export function endOtherSessions(): Promise<boolean> {
  return account.change(() => request('DELETE /api/sessions'), {
    notice: { title: t('Settings Updated'), description: t('You are signed out in all other browsers.') },
    failure: t('Failed to sign you out'),
  })
}
