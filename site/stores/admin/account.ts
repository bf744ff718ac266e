import type { Account } from '#db/access/schema.ts'
import type { MailChoice } from '#db/mail/schema.ts'
import { request } from '#site/lib/request.ts'
import { t } from '#site/texts/texts.ts'
import { changeableAt, differing, type Refuse } from './changeable.ts'
import { withProof } from './proof.ts'
import { reasonOr } from './reason.ts'

export const account = changeableAt('/api/account')

/** Sends only what was changed. */
export function changeAccount(
  current: Account,
  typed: { name?: string; email?: string; password?: string },
  refuse: Refuse,
): Promise<boolean> {
  const body = differing(typed, { ...current, email: current.email ?? '' })
  if (Object.keys(body).length === 0) return Promise.resolve(true)
  const description = body.password ? t('You are signed out in all other browsers.') : t('It counts from now on.')
  return account.change(current, {
    send: async () => (await withProof(() => request('PATCH /api/account', { body }))).json(),
    notice: { title: t('Settings Updated'), description },
    failure: reasonOr(t('Failed to save it')),
    refuse,
  })
}

export function changeOwnMail(current: Account, mail: MailChoice[]): Promise<boolean> {
  return account.change(current, {
    show: (shown) => ({ ...shown, mail }),
    send: async () => (await request('PATCH /api/account', { body: { mail } })).json(),
    failure: reasonOr(t('Failed to save it')),
  })
}

/** The browser asks for the finger, the face or the PIN of its device. */
export function addPasskey(current: Account, name: string, refuse: Refuse): Promise<boolean> {
  return account.change(current, {
    send: async () => {
      const { makePasskey } = await import('#site/lib/passkeys.ts')
      await withProof(async () => request('POST /api/passkeys', { body: { name, passkey: await makePasskey() } }))
      return (await request('GET /api/account')).json()
    },
    notice: { title: t('Settings Updated'), description: t('From now on you can sign in with it.') },
    failure: reasonOr(t('Failed to save it')),
    refuse,
  })
}

export function removePasskey(current: Account, id: string): Promise<boolean> {
  return account.change(current, {
    send: async (stored) => {
      await withProof(() => request(`DELETE /api/passkeys/${encodeURIComponent(id)}`))
      return { ...stored, passkeys: stored.passkeys.filter((other) => other.id !== id) }
    },
    notice: { title: t('Settings Updated'), description: t('No one can sign in with it any more.') },
    failure: reasonOr(t('Failed to remove it')),
  })
}

export function endOtherSessions(current: Account): Promise<boolean> {
  return account.change(current, {
    send: async (stored) => {
      await request('DELETE /api/sessions')
      return { ...stored, sessions: stored.sessions.filter(({ isThis }) => isThis) }
    },
    notice: { title: t('Settings Updated'), description: t('You are signed out in all other browsers.') },
    failure: reasonOr(t('Failed to sign you out')),
  })
}
