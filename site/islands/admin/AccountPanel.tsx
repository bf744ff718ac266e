import { type SubmitEvent, useId, useState } from 'react'
import type { Account } from '#db/access/schema.ts'
import { ACCOUNT, type AdminPage } from '#site/lib/admin-page.ts'
import { useChangeable, useRefusals } from '#site/lib/hooks.ts'
import {
  account,
  addPasskey,
  changeAccount,
  endAllSessions,
  endSession,
  removePasskey,
  type Sessions,
  sessions,
} from '#site/stores/admin/account.ts'
import { differing } from '#site/stores/admin/changeable.ts'
import { formatDay, formatMoment } from '#site/texts/dates.ts'
import { said } from '#site/texts/said.ts'
import { t } from '#site/texts/texts.ts'
import { Button } from '#site/ui/Button.tsx'
import { ConfirmDialog } from '#site/ui/Dialog.tsx'
import { Field } from '#site/ui/Field.tsx'
import { Loaded, Panel } from '#site/ui/Panel.tsx'

/** Asks the person of before there were several for a name and an email, until they have given them. */
export function NoEmailNote({ rendered }: { rendered: Account }) {
  const { data } = useChangeable(rendered, account)
  if (data?.email !== null) return null
  return (
    <p className="notice notice--warning">
      <span>
        {t('Say who you are: your name for the record, and an email to sign in with.')}{' '}
        <a href={ACCOUNT}>{t('Your account')}</a>
      </span>
    </p>
  )
}

export function AccountPanel({ admin }: { admin: AdminPage }) {
  const reading = useChangeable(admin.account, account)
  const signedIn = useChangeable<Sessions>(undefined, sessions)
  const { zone, noPasskeys } = admin

  return (
    <Panel id="account" title={t('Your account')} description={t('Your name for the record, and how you sign in.')}>
      <Loaded reading={reading} loading={t('Loading...')} failed={t('The settings could not be loaded.')}>
        {(own) => (
          <div className="account">
            <NameForm account={own} />
            <PasswordForm account={own} />
            <Passkeys account={own} zone={zone} noPasskeys={noPasskeys} />
          </div>
        )}
      </Loaded>
      <Loaded reading={signedIn} loading={t('Loading...')} failed={t('The settings could not be loaded.')}>
        {(listed) => <SignedIn sessions={listed} zone={zone} />}
      </Loaded>
    </Panel>
  )
}

function NameForm({ account }: { account: Account }) {
  const { form, errors, refuse, accept } = useRefusals()

  async function save(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    const typed = { name: String(fields.get('name')).trim(), email: String(fields.get('email')).trim() }
    accept()
    const change = differing(typed, { ...account, email: account.email ?? '' })
    if (Object.keys(change).length > 0) await changeAccount(account, change, refuse)
  }

  return (
    <form ref={form} className="account__form" aria-label={t('Your account')} noValidate onSubmit={save}>
      <Field label={t('Name')} name="name" defaultValue={account.name} autoComplete="name" error={errors.name} />
      <Field
        label={t('Email')}
        name="email"
        type="email"
        defaultValue={account.email ?? ''}
        autoComplete="email"
        error={errors.email}
      />
      <div>
        <Button type="submit">{t('Save')}</Button>
      </div>
    </form>
  )
}

function PasswordForm({ account }: { account: Account }) {
  const { form, errors, refuse, accept } = useRefusals()

  async function save(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    const typed = event.currentTarget
    accept()
    const password = String(new FormData(typed).get('password'))
    if (await changeAccount(account, { password }, refuse)) typed.reset()
  }

  return (
    <form ref={form} className="account__part account__form" aria-label={t('Password')} noValidate onSubmit={save}>
      <h3 className="account__title">{t('Password')}</h3>
      {/* Password managers look for it. */}
      <input type="hidden" name="username" autoComplete="username" value={account.email ?? ''} />
      <Field
        label={account.hasPassword ? t('New password') : t('Password')}
        name="password"
        type="password"
        autoComplete="new-password"
        aria-describedby="password-hint"
        error={errors.password}
        below={
          <p className="people__note" id="password-hint">
            {t('At least 12 characters: three or four words will do. It signs you out in all other browsers.')}
          </p>
        }
      />
      <div>
        <Button variant="secondary" type="submit">
          {t('Save')}
        </Button>
      </div>
    </form>
  )
}

function Passkeys({ account, zone, noPasskeys }: { account: Account; zone: string; noPasskeys: string | undefined }) {
  const id = useId()
  const { form, errors, refuse, accept } = useRefusals()
  const [removing, setRemoving] = useState<Account['passkeys'][number]>()

  async function add(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    const typed = event.currentTarget
    accept()
    if (await addPasskey(account, String(new FormData(typed).get('name')), refuse)) typed.reset()
  }

  function remove({ id: passkey }: Account['passkeys'][number]) {
    setRemoving(undefined)
    removePasskey(account, passkey)
    // The row disappears.
    document.getElementById(id)?.focus()
  }

  return (
    <section className="account__part" aria-labelledby={id}>
      <h3 className="account__title" id={id} tabIndex={-1}>
        {t('Passkeys')}
      </h3>
      {account.passkeys.length > 0 && (
        <ul className="people">
          {account.passkeys.map((passkey) => (
            <li key={passkey.id} className="people__person">
              <div className="people__who">
                <p className="people__name">
                  <bdi>{passkey.name}</bdi>
                </p>
                <p className="people__note">
                  {t('Added {day}', { day: formatDay(passkey.createdAt, zone) })}
                  {' · '}
                  {passkey.usedAt === null
                    ? t('Not used yet')
                    : t('Last used {day}', { day: formatDay(passkey.usedAt, zone) })}
                </p>
              </div>
              <div className="people__actions">
                <Button
                  variant="quiet"
                  aria-label={t('Remove {name}', { name: passkey.name })}
                  onClick={() => setRemoving(passkey)}
                >
                  {t('Remove')}
                </Button>
              </div>
            </li>
          ))}
        </ul>
      )}
      {noPasskeys ? (
        <p className="people__note">{said(noPasskeys)}</p>
      ) : (
        <form ref={form} className="account__form" aria-label={t('Add a passkey')} noValidate onSubmit={add}>
          <Field
            label={t('Name of the passkey')}
            name="name"
            maxLength={60}
            autoComplete="off"
            aria-describedby={`${id}-hint`}
            error={errors.name}
            below={
              <p className="people__note" id={`${id}-hint`}>
                {t('E.g. the device: with a passkey you sign in by fingerprint, face or its PIN.')}
              </p>
            }
          />
          <div>
            <Button variant="secondary" type="submit">
              {t('Add a passkey')}
            </Button>
          </div>
        </form>
      )}
      {removing && (
        <ConfirmDialog
          title={t('Remove {name}', { name: removing.name })}
          confirmLabel={t('Remove')}
          destructive
          onConfirm={() => remove(removing)}
          onCancel={() => setRemoving(undefined)}
        >
          {t('No one can sign in with this passkey any more. Then delete it on the device as well.')}
        </ConfirmDialog>
      )}
    </section>
  )
}

/** The browsers in which the person is signed in. */
function SignedIn({ sessions, zone }: { sessions: Sessions; zone: string }) {
  const id = useId()
  const [asks, setAsks] = useState(false)

  function end(session: number) {
    endSession(sessions, session)
    // The row disappears.
    document.getElementById(id)?.focus()
  }

  return (
    <section className="account__part" aria-labelledby={id}>
      <h3 className="account__title" id={id} tabIndex={-1}>
        {t('Where you are signed in')}
      </h3>
      <ul className="people">
        {sessions.map(({ id: session, browser, createdAt, usedAt, isThis }) => (
          <li key={session} className="people__person">
            <div className="people__who">
              <p className="people__name">
                <bdi>{browser || t('Unknown browser')}</bdi>{' '}
                {isThis && <span className="people__note">{t('(this browser)')}</span>}
              </p>
              <p className="people__note">
                {t('Since {day}', { day: formatDay(createdAt, zone) })}
                {' · '}
                {t('Last used {day}', { day: formatMoment(usedAt, zone) })}
              </p>
            </div>
            {!isThis && (
              <div className="people__actions">
                <Button
                  variant="quiet"
                  aria-label={t('Sign out there: {browser}', { browser: browser || t('Unknown browser') })}
                  onClick={() => end(session)}
                >
                  {t('Sign out there')}
                </Button>
              </div>
            )}
          </li>
        ))}
      </ul>
      <div>
        <Button variant="secondary" onClick={() => setAsks(true)}>
          {t('Sign out everywhere')}
        </Button>
      </div>
      {asks && (
        <ConfirmDialog
          title={t('Sign out everywhere')}
          confirmLabel={t('Sign out everywhere')}
          onConfirm={endAllSessions}
          onCancel={() => setAsks(false)}
        >
          {t('In this browser too. Then sign in again.')}
        </ConfirmDialog>
      )}
    </section>
  )
}
