import { useState } from 'react'
import type { Administrator } from '#db/access/schema.ts'
import type { AdminPage } from '#site/lib/admin-page.ts'
import { useChangeable } from '#site/lib/hooks.ts'
import { administrators, inviteAdministrator, removeAdministrator } from '#site/stores/admin/administrators.ts'
import { formatDay } from '#site/texts/dates.ts'
import { t } from '#site/texts/texts.ts'
import { Button, buttonClass } from '#site/ui/Button.tsx'
import { Icon, plus } from '#site/ui/Icon.tsx'
import { Loaded, Panel } from '#site/ui/Panel.tsx'
import { useOwnName } from './AccountPanel.tsx'
import { AdministratorDialog, InvitationDialog, type Invited, roleTexts } from './AdministratorDialogs.tsx'
import { Listed } from './Listed.tsx'

/** The open dialog: the form of a person, or of a new one, or their invitation. */
type Opened = { person?: Administrator } | { link: string; to: Invited }

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
  const self = admin.administrator
  const ownName = useOwnName(self?.name)
  const close = () => setOpened(undefined)

  async function renew(person: Administrator) {
    const link = await inviteAdministrator(people, { id: person.id })
    if (link !== undefined) setOpened({ link, to: person })
  }

  async function remove(person: Administrator) {
    // The row disappears.
    if (await removeAdministrator(people, person)) document.getElementById('administrators')?.focus()
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
      { label: t('Remove'), about: t('Remove {name}', { name }), question, onPress: () => remove(person) },
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
                  name={isSelf ? (ownName ?? name) : name}
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
          <InvitationDialog {...opened} onClose={close} />
        ) : (
          <AdministratorDialog
            people={people}
            person={opened.person}
            onInvited={(link, to) => setOpened({ link, to })}
            onClose={close}
          />
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
