import { type SubmitEvent, useId, useRef, useState } from 'react'
import type { Administrator } from '#db/access/schema.ts'
import { type Role, roles } from '#db/roles.ts'
import { useRefusals } from '#site/lib/hooks.ts'
import { inviteAdministrator, saveAdministrator } from '#site/stores/admin/administrators.ts'
import { copyText } from '#site/stores/clipboard.ts'
import { t } from '#site/texts/texts.ts'
import { Button, buttonClass } from '#site/ui/Button.tsx'
import { Modal } from '#site/ui/Dialog.tsx'
import { Checkbox, Field, FieldError } from '#site/ui/Field.tsx'
import { copy, Icon, mail } from '#site/ui/Icon.tsx'

export type Invited = Pick<Administrator, 'name' | 'email'>

/** Invites a person, or changes one. */
export function AdministratorDialog({
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
          <legend className="field__label">{t('What they may do')}</legend>
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
export function InvitationDialog({
  link,
  to: { name, email },
  onClose,
}: {
  link: string
  to: Invited
  onClose: () => void
}) {
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

export function roleTexts(role: Role): { label: string; description: string } {
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
