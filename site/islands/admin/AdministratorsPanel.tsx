import { useState } from 'react'
import type { Administrator } from '#db/values/access.ts'
import { type Role, roles } from '#db/values/roles.ts'
import type { AdminPage } from '#site/lib/admin-page.ts'
import {
  administrators,
  inviteAdministrator,
  removeAdministrator,
  saveAdministrator,
} from '#site/stores/admin/administrators.ts'
import { useChangeable } from '#site/stores/admin/changeable.ts'
import { formatDay } from '#site/texts/dates.ts'
import { t } from '#site/texts/texts.ts'
import { Button, buttonClass } from '#site/ui/Button.tsx'
import { Modal } from '#site/ui/Dialog.tsx'
import { Checkbox, Field } from '#site/ui/Field.tsx'
import { Icon, plus } from '#site/ui/Icon.tsx'
import { Loaded, Panel } from '#site/ui/Panel.tsx'
import { RadioList } from '#site/ui/RadioList.tsx'
import { Form, FormFailed, Submit, useForm } from './Form.tsx'
import { LinkDialog } from './LinkDialog.tsx'
import { Listed } from './Listed.tsx'

/** The open dialog: the form of a person, or of a new one, or their invitation. */
type Opened = { person?: Administrator } | { link: string; name: string }

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
  const self = admin.administrator
  const close = () => setOpened(undefined)

  async function renew(person: Administrator) {
    const link = await inviteAdministrator({ id: person.id })
    if (link !== undefined) setOpened({ link, name: person.name })
  }

  function actionsOf(person: Administrator) {
    const { name } = person
    const replaces = isInvited(person)
      ? t('The link that was made for {name} before will no longer work.', { name })
      : undefined
    const question = t(
      '{name} is signed out at once, everywhere, and can no longer sign in. The name stays in the record.',
      { name },
    )
    return [
      { label: t('Change'), about: t('Change {name}', { name }), onPress: () => setOpened({ person }) },
      {
        label: t('New link'),
        about: t('New link for {name}', { name }),
        question: replaces,
        onPress: () => renew(person),
      },
      {
        label: t('Remove'),
        about: t('Remove {name}', { name }),
        question,
        next: 'administrators',
        onPress: () => removeAdministrator(person),
      },
    ]
  }

  return (
    <Panel
      id="administrators"
      title={t('Administrators')}
      description={t('Everyone signs in as themselves, so that the record says who did what.')}
      actions={
        reading.data && (
          <Button variant="secondary" onClick={() => setOpened({})}>
            <Icon shape={plus} />
            {t('Invite an administrator')}
          </Button>
        )
      }
    >
      <Loaded reading={reading}>
        {(listed) => (
          <ul>
            {listed.map((person) => {
              const { id, name, email } = person
              const isSelf = id === self?.id
              return (
                <Listed
                  key={id}
                  name={name}
                  mark={isSelf && t('(you)')}
                  notes={[roleText(person, admin.zone), email ?? t('No email yet')]}
                  actions={isSelf ? [] : actionsOf(person)}
                />
              )
            })}
          </ul>
        )}
      </Loaded>
      {opened &&
        ('link' in opened ? (
          <LinkDialog
            title={t('The invitation for {name}', opened)}
            label={t('Invitation link')}
            link={opened.link}
            onClose={close}
          >
            {t('Send it to {name} alone. It works once, for 7 days, and is not shown again.', opened)}
          </LinkDialog>
        ) : (
          <AdministratorDialog person={opened.person} onInvited={setOpened} onClose={close} />
        ))}
    </Panel>
  )
}

function isInvited({ invitedUntil }: Administrator): boolean {
  return invitedUntil !== null && Date.parse(invitedUntil) >= Date.now()
}

function roleText(person: Administrator, zone: string): string {
  const { role, seesContacts, seenAt, invitedUntil } = person
  const isReaderWithContacts = role === 'reader' && seesContacts
  const label = isReaderWithContacts ? t('Reader, with contact data') : roleTexts(role).label
  const seen = seenAt === null ? t('Never seen') : t('Last seen {day}', { day: formatDay(seenAt, zone) })
  const invited = invitedUntil !== null && t('Invited until {day}', { day: formatDay(invitedUntil, zone) })
  if (invitedUntil !== null && !isInvited(person)) return `${label} · ${t('The invitation is over')}`
  return `${label} · ${invited || seen}`
}

/** Invites a person, or changes one. */
function AdministratorDialog({
  person,
  onInvited,
  onClose,
}: {
  person: Administrator | undefined
  onInvited: (invited: { link: string; name: string }) => void
  onClose: () => void
}) {
  const [role, setRole] = useState<Role>(person?.role ?? 'clerk')
  const form = useForm(async (text, refuse) => {
    const seesContacts = text('seesContacts') !== ''
    const typed = { name: text('name').trim(), email: text('email').trim(), role, seesContacts }
    if (person) {
      if (await saveAdministrator(person, typed, refuse)) onClose()
    } else {
      const link = await inviteAdministrator(typed, refuse)
      if (link !== undefined) onInvited({ link, name: typed.name })
    }
  })

  const title = person ? t('Change {name}', { name: person.name }) : t('Invite an administrator')

  return (
    <Modal className="dialog dialog--form" aria-label={title} onDismiss={onClose}>
      <Form of={form} className="dialog__body">
        <h2 className="dialog__title">{title}</h2>
        <Field label={t('Name')} name="name" defaultValue={person?.name} autoComplete="off" />
        <Field label={t('Email')} name="email" type="email" defaultValue={person?.email ?? ''} autoComplete="off" />
        <fieldset className="radio-list">
          <legend className="field__label">{t('What they may do')}</legend>
          <RadioList
            name="role"
            value={role}
            options={roles.map((value) => ({ value, ...roleTexts(value) }))}
            onChange={setRole}
          />
          {role === 'reader' && (
            <Checkbox name="seesContacts" defaultChecked={person?.seesContacts ?? false}>
              {t('Also show email addresses, phone numbers and messages')}
            </Checkbox>
          )}
        </fieldset>
        <FormFailed />
        <div className="flow dialog__actions">
          <Button variant="secondary" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Submit>{person ? t('Save') : t('Make the link')}</Submit>
        </div>
      </Form>
    </Modal>
  )
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
