import { type SubmitEvent, useId, useRef, useState } from 'react'
import type { Administrator } from '#db/access/schema.ts'
import { type Role, roles } from '#db/roles.ts'
import { ACCOUNT, type AdminPage } from '#site/lib/admin-page.ts'
import { useChangeable, useRefusals } from '#site/lib/hooks.ts'
import {
  administrators,
  inviteAdministrator,
  removeAdministrator,
  renewInvitation,
  saveAdministrator,
} from '#site/stores/admin/administrators.ts'
import { copyText } from '#site/stores/clipboard.ts'
import { formatDay } from '#site/texts/dates.ts'
import { t } from '#site/texts/texts.ts'
import { Button, buttonClass } from '#site/ui/Button.tsx'
import { ConfirmDialog, Modal } from '#site/ui/Dialog.tsx'
import { Checkbox, Field, FieldError } from '#site/ui/Field.tsx'
import { copy, Icon, mail, plus } from '#site/ui/Icon.tsx'
import { Loaded, Panel } from '#site/ui/Panel.tsx'

/** The open dialog: the form of a person, or of a new one, their invitation, or the question whether to remove them. */
type Opened =
  | { dialog: 'form'; person?: Administrator }
  | { dialog: 'link'; link: string; to: Invited }
  | { dialog: 'removal'; person: Administrator }
type Invited = Pick<Administrator, 'name' | 'email'>

export function AdministratorsPanel({ admin }: { admin: AdminPage }) {
  if (!admin.open) return <Administrators admin={admin} />
  return (
    <Panel
      id="administrators"
      title={t('Administrators')}
      description={t('Anyone who can reach this site can manage it. Guard it first, then invite others by name.')}
    >
      <a className={buttonClass()} href="/guard">
        {t('Guard this site')}
      </a>
    </Panel>
  )
}

function Administrators({ admin }: { admin: AdminPage }) {
  const reading = useChangeable<Administrator[]>(undefined, administrators)
  const [opened, setOpened] = useState<Opened>()
  const people = reading.data ?? []
  const close = () => setOpened(undefined)

  async function renew(person: Administrator) {
    const link = await renewInvitation(people, person)
    if (link !== undefined) setOpened({ dialog: 'link', link, to: person })
  }

  function remove(person: Administrator) {
    close()
    removeAdministrator(people, person)
    // The row disappears.
    document.getElementById('administrators')?.focus()
  }

  return (
    <Panel
      id="administrators"
      title={t('Administrators')}
      description={t('Everyone signs in as themselves, so that the record says who did what.')}
      actions={
        reading.data && (
          <Button variant="secondary" onClick={() => setOpened({ dialog: 'form' })}>
            <Icon shape={plus} />
            {t('Invite an administrator')}
          </Button>
        )
      }
    >
      <Loaded reading={reading} loading={t('Loading...')} failed={t('The settings could not be loaded.')}>
        {(listed) => (
          <ul className="people">
            {listed.map((person) => (
              <li key={person.id} className="people__person">
                <Person person={person} isSelf={person.id === admin.administrator?.id} zone={admin.zone} />
                <div className="people__actions">
                  {person.id === admin.administrator?.id ? (
                    <a className={buttonClass('quiet')} href={ACCOUNT}>
                      {t('Your account')}
                    </a>
                  ) : (
                    <>
                      <Button
                        variant="quiet"
                        aria-label={t('Change {name}', { name: person.name })}
                        onClick={() => setOpened({ dialog: 'form', person })}
                      >
                        {t('Change')}
                      </Button>
                      <Button
                        variant="quiet"
                        aria-label={t('New link for {name}', { name: person.name })}
                        onClick={() => renew(person)}
                      >
                        {t('New link')}
                      </Button>
                      <Button
                        variant="quiet"
                        aria-label={t('Remove {name}', { name: person.name })}
                        onClick={() => setOpened({ dialog: 'removal', person })}
                      >
                        {t('Remove')}
                      </Button>
                    </>
                  )}
                </div>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      {opened?.dialog === 'form' && (
        <PersonDialog
          people={people}
          person={opened.person}
          onInvited={(link, to) => setOpened({ dialog: 'link', link, to })}
          onClose={close}
        />
      )}
      {opened?.dialog === 'link' && <LinkDialog link={opened.link} to={opened.to} onClose={close} />}
      {opened?.dialog === 'removal' && (
        <ConfirmDialog
          title={t('Remove {name}', { name: opened.person.name })}
          confirmLabel={t('Remove')}
          destructive
          onConfirm={() => remove(opened.person)}
          onCancel={close}
        >
          {t('{name} is signed out at once, everywhere, and can no longer sign in. The name stays in the record.', {
            name: opened.person.name,
          })}
        </ConfirmDialog>
      )}
    </Panel>
  )
}

function Person({ person, isSelf, zone }: { person: Administrator; isSelf: boolean; zone: string }) {
  const { name, email, role, seesContacts, seenAt, invitedUntil } = person
  const isReaderWithContacts = role === 'reader' && seesContacts
  return (
    <div className="people__who">
      <p className="people__name">
        <bdi>{name}</bdi> {isSelf && <span className="people__note">{t('(you)')}</span>}
      </p>
      <p className="people__note">
        {isReaderWithContacts ? t('Reader, with contact data') : roleTexts(role).label}
        {' · '}
        {seenText(seenAt, invitedUntil, zone)}
      </p>
      <p className="people__note">{email ? <bdi>{email}</bdi> : t('No email yet')}</p>
    </div>
  )
}

function seenText(seenAt: string | null, invitedUntil: string | null, zone: string): string {
  if (invitedUntil !== null)
    return Date.parse(invitedUntil) < Date.now()
      ? t('The invitation is over')
      : t('Invited until {day}', { day: formatDay(invitedUntil, zone) })
  return seenAt === null ? t('Never seen') : t('Last seen {day}', { day: formatDay(seenAt, zone) })
}

function roleTexts(role: Role): { label: string; description: string } {
  return {
    owner: {
      label: t('Owner'),
      description: t('Everything, also who else may come in, backups and erasing for good.'),
    },
    clerk: {
      label: t('Clerk'),
      description: t('Responses, the sheet, the event, the schedule, roles and the church.'),
    },
    reader: { label: t('Reader'), description: t('Sees the numbers and the sheet, and changes nothing.') },
  }[role]
}

/** Invites a person, or changes one. */
function PersonDialog({
  people,
  person,
  onInvited,
  onClose,
}: {
  people: Administrator[]
  person: Administrator | undefined
  onInvited: (link: string, to: Invited) => void
  onClose: () => void
}) {
  const id = useId()
  const { form, errors, refuse, accept } = useRefusals()
  const [role, setRole] = useState<Role>(person?.role ?? 'clerk')
  const [pending, setPending] = useState(false)

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (pending) return
    const fields = new FormData(event.currentTarget)
    const [name, email] = ['name', 'email'].map((field) => String(fields.get(field)).trim())
    const typed = { name: name ?? '', email: email ?? '', role, seesContacts: fields.has('seesContacts') }
    setPending(true)
    accept()
    if (person) {
      if (await saveAdministrator(people, person, typed, refuse)) onClose()
    } else {
      const link = await inviteAdministrator(people, typed, refuse)
      if (link !== undefined) onInvited(link, typed)
    }
    setPending(false)
  }

  return (
    <Modal className="dialog dialog--form" aria-labelledby={`${id}-title`} onDismiss={onClose}>
      <form ref={form} className="dialog__body" noValidate onSubmit={submit}>
        <h2 className="dialog__title" id={`${id}-title`}>
          {person ? t('Change {name}', { name: person.name }) : t('Invite an administrator')}
        </h2>
        <Field label={t('Name')} name="name" defaultValue={person?.name} autoComplete="off" error={errors.name} />
        <Field
          label={t('Email')}
          name="email"
          type="email"
          defaultValue={person?.email ?? ''}
          autoComplete="off"
          error={errors.email}
        />
        <fieldset className="radio-list">
          <legend className="field__label">{t('Role')}</legend>
          {roles.map((value) => (
            <label key={value} className="radio-list__option">
              <input
                className="radio-list__input"
                type="radio"
                name="role"
                value={value}
                checked={value === role}
                onChange={() => setRole(value)}
              />
              <span>
                <span className="radio-list__label">{roleTexts(value).label}</span>
                <span className="radio-list__description">{roleTexts(value).description}</span>
              </span>
            </label>
          ))}
          {role === 'reader' && (
            <Checkbox name="seesContacts" defaultChecked={person?.seesContacts ?? false}>
              {t('Also show email addresses, phone numbers and messages')}
            </Checkbox>
          )}
        </fieldset>
        {person && person.role !== role && (
          <p className="people__note" role="status">
            {t('{name} is signed out at once, and signs in again with the new role.', { name: person.name })}
          </p>
        )}
        <FieldError role="alert">{errors.form}</FieldError>
        <div className="dialog__actions">
          <Button variant="secondary" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button type="submit" aria-disabled={pending || undefined}>
            {person ? t('Save') : t('Make the link')}
          </Button>
        </div>
      </form>
    </Modal>
  )
}

/** The only time that an invitation link can be read. */
function LinkDialog({ link, to: { name, email }, onClose }: { link: string; to: Invited; onClose: () => void }) {
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const [isCopied, setIsCopied] = useState<boolean>()
  const text = t('With this link you become an administrator of our RSVP site. It works once, for 7 days:')
  const subject = t('Your invitation to our RSVP site')

  return (
    <Modal className="dialog dialog--form" aria-labelledby={`${id}-title`} onDismiss={onClose}>
      <div className="dialog__body">
        <h2 className="dialog__title" id={`${id}-title`}>
          {t('The invitation for {name}', { name })}
        </h2>
        <Field
          label={t('Invitation link')}
          ref={field}
          readOnly
          value={link}
          dir="ltr"
          aria-describedby={`${id}-once`}
          onFocus={(event) => event.currentTarget.select()}
        />
        <p className="dialog__message" id={`${id}-once`}>
          {t('Send it to {name} alone. It works once, for 7 days, and is not shown again.', { name })}
        </p>
        {/* Here, because the dialog covers notices. */}
        <p role="status">
          {isCopied === true && t('The link is in the clipboard.')}
          {isCopied === false && t('Your browser does not let us copy. Press Ctrl+C, or hold the link to copy it.')}
        </p>
        <div className="dialog__actions">
          <Button variant="secondary" onClick={onClose}>
            {t('Done')}
          </Button>
          <a
            className={buttonClass('secondary')}
            href={`mailto:${encodeURIComponent(email ?? '')}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(`${text}\n\n${link}`)}`}
          >
            <Icon shape={mail} />
            {t('Send by email')}
          </a>
          <Button onClick={async () => setIsCopied(await copyText(link, () => field.current?.focus()))}>
            <Icon shape={copy} />
            {t('Copy Link')}
          </Button>
        </div>
      </div>
    </Modal>
  )
}
