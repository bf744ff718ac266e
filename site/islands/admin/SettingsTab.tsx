import type { FC } from 'react'
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
  /** In the links to the panels. */
  name: () => string
  Panel: FC<{ admin: AdminPage }>
}

export const settingsPanels: SettingsPanel[] = [
  { id: 'event', call: 'POST /api/event', name: () => t('Event'), Panel: EventPanel },
  { id: 'schedule', call: 'PATCH /api/schedule', name: () => t('Schedule'), Panel: SchedulePanel },
  { id: 'roles', call: 'POST /api/volunteer-roles', name: () => t('Roles'), Panel: RolesPanel },
  { id: 'features', call: 'PATCH /api/features', name: () => t('Features'), Panel: FeaturesPanel },
  { id: 'church', call: 'PATCH /api/church', name: () => t('Church'), Panel: ChurchPanel },
  {
    id: 'event-languages',
    call: 'PATCH /api/event/translations',
    name: () => t('Languages'),
    Panel: EventLanguagesPanel,
  },
  { id: 'names', call: 'PATCH /api/settings', name: () => t('Names'), Panel: PublicNamesPanel },
  { id: 'prayers', call: 'PATCH /api/settings', name: () => t('Prayer requests'), Panel: PrayersPanel },
  { id: 'address', call: 'PATCH /api/settings', name: () => t('Public Address'), Panel: AddressPanel },
  {
    id: 'administrators',
    call: 'GET /api/administrators',
    name: () => t('Administrators'),
    Panel: AdministratorsPanel,
  },
  { id: 'account', call: 'GET /api/account', name: () => t('Your account'), Panel: AccountPanel },
  { id: 'keeping', call: 'PATCH /api/settings', name: () => t('Keeping'), Panel: RetentionPanel },
  { id: 'erasing', call: 'POST /api/rsvps/erase', name: () => t('Erase for Good'), Panel: ErasePanel },
  { id: 'backups', call: 'GET /api/backups', name: () => t('Backups'), Panel: BackupsPanel },
  { id: 'mail', call: 'GET /api/mail', name: () => t('Mail'), Panel: MailPanel },
  { id: 'audit', call: 'GET /api/audit', name: () => t('Audit'), Panel: AuditPanel },
]

/** The settings in sections with links to them. On a phone, a section that the address names is shown alone. */
export function SettingsTab({ admin }: { admin: AdminPage }) {
  const panels = settingsPanels.filter(({ id }) => admin.sections.includes(id))
  return (
    <div className="settings">
      {panels.length > 1 && (
        <nav className="flow sections" aria-label={t('Settings')}>
          {panels.map(({ id, name }) => (
            <a key={id} className="sections__link" href={`#${id}`}>
              {name()}
            </a>
          ))}
        </nav>
      )}
      <div className="settings__columns">
        {panels.map(({ id, Panel }) => (
          <ErrorBoundary key={id}>
            <Panel admin={admin} />
          </ErrorBoundary>
        ))}
      </div>
    </div>
  )
}
