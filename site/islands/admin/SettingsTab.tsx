import type { FC } from 'react'
import type { AdminPage, Section } from '#site/lib/admin-page.ts'
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

const shown: Record<Section, { name: () => string; Panel: FC<{ admin: AdminPage }> }> = {
  event: { name: () => t('Event'), Panel: EventPanel },
  schedule: { name: () => t('Schedule'), Panel: SchedulePanel },
  roles: { name: () => t('Roles'), Panel: RolesPanel },
  features: { name: () => t('Features'), Panel: FeaturesPanel },
  church: { name: () => t('Church'), Panel: ChurchPanel },
  'event-languages': { name: () => t('Languages'), Panel: EventLanguagesPanel },
  names: { name: () => t('Names'), Panel: PublicNamesPanel },
  prayers: { name: () => t('Prayer requests'), Panel: PrayersPanel },
  address: { name: () => t('Public Address'), Panel: AddressPanel },
  administrators: { name: () => t('Administrators'), Panel: AdministratorsPanel },
  account: { name: () => t('Your account'), Panel: AccountPanel },
  keeping: { name: () => t('Keeping'), Panel: RetentionPanel },
  erasing: { name: () => t('Erase for Good'), Panel: ErasePanel },
  backups: { name: () => t('Backups'), Panel: BackupsPanel },
  mail: { name: () => t('Mail'), Panel: MailPanel },
  audit: { name: () => t('Audit'), Panel: AuditPanel },
}

/** The settings in sections with links to them. On a phone, a section that the address names is shown alone. */
export function SettingsTab({ admin }: { admin: AdminPage }) {
  const { sections } = admin
  return (
    <div className="settings">
      {sections.length > 1 && (
        <nav className="flow sections" aria-label={t('Settings')}>
          {sections.map((id) => (
            <a key={id} className="sections__link" href={`#${id}`}>
              {shown[id].name()}
            </a>
          ))}
        </nav>
      )}
      <div className="settings__columns">
        {sections.map((id) => {
          const { Panel } = shown[id]
          return (
            <ErrorBoundary key={id}>
              <Panel admin={admin} />
            </ErrorBoundary>
          )
        })}
      </div>
    </div>
  )
}
