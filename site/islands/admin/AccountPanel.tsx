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
import { Listed } from './Listed.tsx'

type Passkey = Account['passkeys'][number]

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
    <form
      ref={form}
      className="account__part account__form needs-script"
      aria-label={t('Password')}
      // Sends nothing before the script has loaded: the password would be in the address.
      method="dialog"
      noValidate
      onSubmit={save}
    >
      <h3 className="account__title">{t('Password')}</h3>
      {/* Password managers look for it. */}
      <input name="username" autoComplete="username" value={account.email ?? ''} hidden readOnly />
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
  const [removing, setRemoving] = useState<Passkey>()

  async function add(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    const typed = event.currentTarget
    accept()
    if (await addPasskey(account, String(new FormData(typed).get('name')), refuse)) typed.reset()
  }

  async function remove({ id: passkey }: Passkey) {
    setRemoving(undefined)
    // The row disappears.
    if (await removePasskey(account, passkey)) document.getElementById(id)?.focus()
  }

  return (
    <section className="account__part" aria-labelledby={id}>
      <h3 className="account__title" id={id} tabIndex={-1}>
        {t('Passkeys')}
      </h3>
      {account.passkeys.length > 0 && (
        <ul className="people">
          {account.passkeys.map((passkey) => (
            <Listed
              key={passkey.id}
              name={passkey.name}
              notes={[usedText(passkey, zone)]}
              actions={[
                {
                  label: t('Remove'),
                  about: t('Remove {name}', { name: passkey.name }),
                  onPress: () => setRemoving(passkey),
                },
              ]}
            />
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

function usedText({ createdAt, usedAt }: Passkey, zone: string): string {
  const used = usedAt === null ? t('Not used yet') : t('Last used {day}', { day: formatDay(usedAt, zone) })
  return `${t('Added {day}', { day: formatDay(createdAt, zone) })} · ${used}`
}

/** The browsers in which the person is signed in. */
function SignedIn({ sessions, zone }: { sessions: Sessions; zone: string }) {
  const id = useId()
  const [asks, setAsks] = useState(false)

  async function end(session: number) {
    // The row disappears.
    if (await endSession(sessions, session)) document.getElementById(id)?.focus()
  }

  return (
    <section className="account__part" aria-labelledby={id}>
      <h3 className="account__title" id={id} tabIndex={-1}>
        {t('Where you are signed in')}
      </h3>
      <ul className="people">
        {sessions.map(({ id: session, browser: known, createdAt, usedAt, isThis }) => {
          const browser = known || t('Unknown browser')
          const about = t('Sign out there: {browser}', { browser })
          const since = t('Since {day}', { day: formatDay(createdAt, zone) })
          return (
            <Listed
              key={session}
              name={browser}
              mark={isThis && t('(this browser)')}
              notes={[`${since} · ${t('Last used {day}', { day: formatMoment(usedAt, zone) })}`]}
              actions={isThis ? [] : [{ label: t('Sign out there'), about, onPress: () => end(session) }]}
            />
          )
        })}
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
