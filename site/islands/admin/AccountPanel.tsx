import type { Account } from '#db/values/access.ts'
import { mailChoices } from '#db/values/mail.ts'
import { ACCOUNT, type AdminPage } from '#site/lib/admin-page.ts'
import {
  account,
  addPasskey,
  changeAccount,
  changeOwnMail,
  endOtherSessions,
  removePasskey,
} from '#site/stores/admin/administrators.ts'
import { useChangeable } from '#site/stores/admin/changeable.ts'
import { formatDay, formatMoment } from '#site/texts/dates.ts'
import { t } from '#site/texts/texts.ts'
import { Button } from '#site/ui/Button.tsx'
import { Checkbox, Field } from '#site/ui/Field.tsx'
import { Loaded, Panel } from '#site/ui/Panel.tsx'
import { Sentence } from '#site/ui/Sentence.tsx'
import { Form, Submit, useForm } from './Form.tsx'
import { Listed } from './Listed.tsx'

/** On a site that was guarded by one password, its owner has no email yet: asks for a name and an email. */
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

  return (
    <Panel id="account" title={t('Your account')} description={t('Your name for the record, and how you sign in.')}>
      <Loaded reading={reading}>
        {(own) => (
          <>
            <NameForm account={own} />
            {admin.sendsMail && own.email !== null && <OwnMail account={own} />}
            <PasswordForm account={own} />
            <Passkeys account={own} admin={admin} />
            <SignedIn account={own} zone={admin.zone} />
          </>
        )}
      </Loaded>
    </Panel>
  )
}

function NameForm({ account }: { account: Account }) {
  const form = useForm((text, refuse) =>
    changeAccount(account, { name: text('name').trim(), email: text('email').trim() }, refuse),
  )
  return (
    <Form of={form} className="stack" aria-label={t('Your account')}>
      <Field label={t('Name')} name="name" defaultValue={account.name} autoComplete="name" />
      <Field label={t('Email')} name="email" type="email" defaultValue={account.email ?? ''} autoComplete="email" />
      <Submit>{t('Save')}</Submit>
    </Form>
  )
}

/** Each box is saved as soon as it is ticked. */
function OwnMail({ account }: { account: Account }) {
  const { mail, role, prayers } = account
  const labels = {
    sheet: t('The sheet, the day before the service'),
    digest: role !== 'reader' && t('What has come in, once a day'),
    prayers: prayers !== 'none' && t('Prayer requests, at once'),
  }
  return (
    <fieldset className="stack part needs-script">
      <legend className="visually-hidden">{t('What you get by mail')}</legend>
      <h3>{t('What you get by mail')}</h3>
      {mailChoices.map(
        (choice) =>
          labels[choice] && (
            <Checkbox
              key={choice}
              checked={mail.includes(choice)}
              onChange={({ currentTarget: { checked } }) =>
                changeOwnMail(account, [...mail.filter((other) => other !== choice), ...(checked ? [choice] : [])])
              }
            >
              {labels[choice]}
            </Checkbox>
          ),
      )}
    </fieldset>
  )
}

function PasswordForm({ account }: { account: Account }) {
  const form = useForm((text, refuse) => changeAccount(account, { password: text('password') }, refuse))
  return (
    <Form of={form} className="stack part needs-script" aria-label={t('Password')}>
      <h3>{t('Password')}</h3>
      {/* Password managers look for a username. */}
      <input name="username" autoComplete="username" value={account.email ?? ''} hidden readOnly />
      <Field
        label={account.hasPassword ? t('New password') : t('Password')}
        name="password"
        type="password"
        autoComplete="new-password"
        hint={t('At least 12 characters: three or four words will do. It signs you out in all other browsers.')}
      />
      <Submit variant="secondary">{t('Save')}</Submit>
    </Form>
  )
}

function Passkeys({ account, admin: { zone, noPasskeys, sections } }: { account: Account; admin: AdminPage }) {
  const form = useForm((text, refuse) => addPasskey(text('name'), refuse))

  return (
    <section className="stack part" aria-labelledby="passkeys">
      <h3 id="passkeys" tabIndex={-1}>
        {t('Passkeys')}
      </h3>
      {account.passkeys.length > 0 && (
        <ul>
          {account.passkeys.map(({ id, name, createdAt, usedAt }) => {
            const added = t('Added {day}', { day: formatDay(createdAt, zone) })
            const used = usedAt === null ? t('Not used yet') : t('Last used {day}', { day: formatDay(usedAt, zone) })
            const about = t('Remove {name}', { name })
            const question = t('No one can sign in with this passkey any more. Then delete it on the device as well.')
            const act = { label: t('Remove'), next: 'passkeys', onPress: () => removePasskey(id) }
            const actions = [{ ...act, about, question }]
            return <Listed key={id} name={name} notes={[`${added} · ${used}`]} actions={actions} />
          })}
        </ul>
      )}
      {noPasskeys ? (
        <p className="field__hint">
          {t(noPasskeys)}{' '}
          {sections.includes('address') ? (
            <Sentence text="You can change that at {section}." section={<a href="#address">{t('Public Address')}</a>} />
          ) : (
            t('An owner can change that in the settings.')
          )}
        </p>
      ) : (
        <Form of={form} className="stack" aria-label={t('Add a passkey')}>
          <Field
            label={t('Name of the passkey')}
            name="name"
            maxLength={60}
            autoComplete="off"
            hint={t('E.g. the device: with a passkey you sign in by fingerprint, face or its PIN.')}
          />
          <Submit variant="secondary">{t('Add a passkey')}</Submit>
        </Form>
      )}
    </section>
  )
}

/** The browsers in which the person is signed in. */
function SignedIn({ account, zone }: { account: Account; zone: string }) {
  return (
    <section className="stack part" aria-labelledby="sessions">
      <h3 id="sessions" tabIndex={-1}>
        {t('Where you are signed in')}
      </h3>
      <ul>
        {account.sessions.map(({ id, browser, createdAt, usedAt, isThis }) => {
          const since = t('Since {day}', { day: formatDay(createdAt, zone) })
          const used = t('Last used {day}', { day: formatMoment(usedAt, zone) })
          const name = browser || t('Unknown browser')
          const mark = isThis && t('(this browser)')
          return <Listed key={id} name={name} mark={mark} notes={[`${since} · ${used}`]} actions={[]} />
        })}
      </ul>
      {account.sessions.length > 1 && (
        <Button variant="secondary" onClick={() => endOtherSessions()}>
          {t('Sign out in all other browsers')}
        </Button>
      )}
    </section>
  )
}
