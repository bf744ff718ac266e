import { type FC, useEffect } from 'react'
import type { CallName } from '#site/calls.ts'
import type { AdminPage } from '#site/lib/admin-page.ts'
import { t } from '#site/texts/texts.ts'
import { ErrorBoundary } from '#site/ui/ErrorBoundary.tsx'
import { AccountPanel } from './AccountPanel.tsx'
import { AdministratorsPanel } from './AdministratorsPanel.tsx'
import { ChurchPanel } from './ChurchPanel.tsx'
import { EventLanguagesPanel } from './EventLanguagesPanel.tsx'
import { AuditPanel, BackupsPanel, ErasePanel, RetentionPanel } from './KeepingPanels.tsx'
import { MailPanel } from './MailPanel.tsx'
import { RolesPanel } from './RolesPanel.tsx'
import { SchedulePanel } from './SchedulePanel.tsx'
import { AddressPanel, EventPanel, FeaturesPanel, PrayersPanel, PublicNamesPanel } from './SettingsPanels.tsx'

type SettingsPanel = {
  /** Of its heading: links to the panel lead there. */
  id: string
  /** The panel is for those who may make this call. */
  call: CallName
  /** In English. */
  name: string
  Panel: FC<{ admin: AdminPage }>
}

const ofInvitation: SettingsPanel[] = [
  { id: 'features', call: 'PATCH /api/features', name: 'Features', Panel: FeaturesPanel },
  { id: 'event', call: 'POST /api/event', name: 'Event', Panel: EventPanel },
  { id: 'schedule', call: 'PATCH /api/schedule', name: 'Schedule', Panel: SchedulePanel },
  { id: 'roles', call: 'POST /api/volunteer-roles', name: 'Roles', Panel: RolesPanel },
  { id: 'church', call: 'PATCH /api/church', name: 'Church', Panel: ChurchPanel },
  { id: 'event-languages', call: 'PATCH /api/event/translations', name: 'Languages', Panel: EventLanguagesPanel },
]

const ofPeople: SettingsPanel[] = [
  { id: 'names', call: 'PATCH /api/settings', name: 'Names', Panel: PublicNamesPanel },
  { id: 'prayers', call: 'PATCH /api/settings', name: 'Prayer requests', Panel: PrayersPanel },
  { id: 'keeping', call: 'PATCH /api/settings', name: 'Keeping', Panel: RetentionPanel },
  { id: 'erasing', call: 'POST /api/rsvps/erase', name: 'Erase for Good', Panel: ErasePanel },
]

const ofYou: SettingsPanel[] = [{ id: 'account', call: 'GET /api/account', name: 'Your account', Panel: AccountPanel }]

const ofServer: SettingsPanel[] = [
  { id: 'address', call: 'PATCH /api/settings', name: 'Public Address', Panel: AddressPanel },
  { id: 'administrators', call: 'GET /api/administrators', name: 'Administrators', Panel: AdministratorsPanel },
  { id: 'mail', call: 'GET /api/mail', name: 'Mail', Panel: MailPanel },
  { id: 'backups', call: 'GET /api/backups', name: 'Backups', Panel: BackupsPanel },
  { id: 'audit', call: 'GET /api/audit', name: 'Audit', Panel: AuditPanel },
]

/** @internal Exported for the test of the texts. */
export const settingsGroups = [
  { id: 'invitation', name: 'Invitation', panels: ofInvitation },
  { id: 'people', name: 'People', panels: ofPeople },
  { id: 'you', name: 'You', panels: ofYou },
  { id: 'server', name: 'Server', panels: ofServer },
]

export const settingsPanels = settingsGroups.flatMap(({ panels }) => panels)

/** The settings in groups. Style sheets show the group with the section that the address names, or else the first. */
export function SettingsTab({ admin }: { admin: AdminPage }) {
  useEffect(() => {
    // Back to this tab, the browser has looked for the section before it was drawn.
    if (location.hash && !document.querySelector('.settings :target')) location.replace(location.hash)
  }, [])

  const offered = settingsGroups
    .map((group) => ({ ...group, panels: group.panels.filter(({ id }) => admin.sections.includes(id)) }))
    .filter(({ panels }) => panels.length > 0)
  return (
    <div className="settings">
      {offered.map(({ id, name, panels }) => (
        <div key={id} className="settings__group">
          <Links label={t('Settings')} to={offered} shown={id} />
          <Links label={t(name)} to={panels} />
          <div className="settings__columns">
            {panels.map(({ id, Panel }) => (
              <ErrorBoundary key={id}>
                <Panel admin={admin} />
              </ErrorBoundary>
            ))}
          </div>
        </div>
      ))}
    </div>
  )
}

function Links({ label, to, shown }: { label: string; to: { id: string; name: string }[]; shown?: string }) {
  if (to.length === 1) return null
  return (
    <nav className="flow sections" aria-label={label}>
      {to.map(({ id, name }) => (
        <a
          key={id}
          id={id === shown ? id : undefined}
          className="sections__link"
          href={`#${id}`}
          aria-current={id === shown || undefined}
        >
          {t(name)}
        </a>
      ))}
    </nav>
  )
}
