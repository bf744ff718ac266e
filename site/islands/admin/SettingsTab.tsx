import type { FC, ReactNode } from 'react'
import { featureNames } from '#db/feature/schema.ts'
import { publicNamesTexts } from '#db/settings/texts.ts'
import type { AdminPage, Section } from '#site/lib/admin-page.ts'
import { useChangeable } from '#site/lib/hooks.ts'
import { eventLanguages } from '#site/stores/admin/event-languages.ts'
import { mail } from '#site/stores/admin/mail.ts'
import { schedule } from '#site/stores/admin/schedule.ts'
import { backups, church, features, settings } from '#site/stores/admin/settings.ts'
import { volunteerRoles } from '#site/stores/admin/volunteer-roles.ts'
import { comma, formatMoment, weekdayName } from '#site/texts/dates.ts'
import { clockText } from '#site/texts/schedule.ts'
import { capitalized, languageName, plural, t } from '#site/texts/texts.ts'
import { ErrorBoundary } from '#site/ui/ErrorBoundary.tsx'
import { Icon } from '#site/ui/Icon.tsx'
import { AccountPanel, useOwnName } from './AccountPanel.tsx'
import { AdministratorsPanel } from './AdministratorsPanel.tsx'
import { AuditPanel } from './AuditPanel.tsx'
import { BackupsPanel } from './BackupsPanel.tsx'
import { ChurchPanel } from './ChurchPanel.tsx'
import { ErasePanel } from './ErasePanel.tsx'
import { EventLanguagesPanel } from './EventLanguagesPanel.tsx'
import { MailPanel } from './MailPanel.tsx'
import { PrayersPanel } from './PrayersPanel.tsx'
import { RolesPanel } from './RolesPanel.tsx'
import { SchedulePanel } from './SchedulePanel.tsx'
import { AddressPanel, EventPanel, FeaturesPanel, PublicNamesPanel, RetentionPanel } from './SettingsPanels.tsx'

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

/**
 * The settings in sections with links to them. On a phone the links are a list, with what each section says now, and
 * the address names the only section that is shown.
 */
export function SettingsTab({ admin }: { admin: AdminPage }) {
  const { sections } = admin
  return (
    <div className="settings">
      {sections.length > 1 && (
        <>
          <SectionLinks admin={admin} />
          <a className="settings__all" href="#all-settings">
            <Icon shape={chevron} />
            {t('All settings')}
          </a>
        </>
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

const chevron = 'm9.5 5.5 6.5 6.5-6.5 6.5'

function SectionLinks({ admin }: { admin: AdminPage }) {
  const values = useValues(admin)
  return (
    <nav className="sections" id="all-settings" tabIndex={-1} aria-label={t('Settings')}>
      <ul className="sections__list">
        {admin.sections.map((id) => (
          <li key={id}>
            <a className="sections__link" href={`#${id}`}>
              <span>
                <span className="sections__name">{shown[id].name()}</span>{' '}
                <span className="sections__value">{values[id]}</span>
              </span>
              <Icon shape={chevron} />
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** What the link of each section says on a phone, e.g. its present value; undefined while that is not known. */
function useValues({ sections, event, zone, givenPublicUrl, ...admin }: AdminPage): Record<Section, ReactNode> {
  const has = (section: Section) => sections.includes(section)
  const { data: times } = useChangeable(admin.schedule, schedule, has('schedule'))
  const { data: spoken } = useChangeable(admin.languages, eventLanguages, has('event-languages'))
  const { data: offered } = useChangeable(admin.roles, volunteerRoles, has('roles'))
  const { data: switches } = useChangeable(admin.features, features, has('features'))
  const { data: named } = useChangeable(admin.church, church, has('church'))
  const { data: stored } = useChangeable(admin.settings, settings, has('names'))
  const { data: saved } = useChangeable(undefined, backups, has('backups'))
  const { data: sending } = useChangeable(undefined, mail, has('mail'))
  return {
    event: <span lang={spoken?.language}>{event?.pageTitle}</span>,
    schedule:
      times &&
      (times.confirmed ? weekdayName(times.weekday) + comma() + clockText(times.startTime) : t('A guess so far')),
    roles: offered && plural(offered.length, '{count} role', '{count} roles'),
    features:
      switches &&
      t('{count} of {total} on', {
        count: featureNames.filter((name) => switches[name]).length,
        total: featureNames.length,
      }),
    church: named && (named.name ?? t('No name yet')),
    'event-languages':
      spoken &&
      [spoken, ...spoken.translations].map(({ language }) => capitalized(languageName(language))).join(comma()),
    names: stored && t(publicNamesTexts[stored.publicNames].label),
    prayers: stored && (stored.prayers ? t('In the form') : t('Not in the form')),
    address: stored && (givenPublicUrl ?? stored.publicUrl ?? t('None yet')),
    administrators: t('Who may do what'),
    account: useOwnName(admin.administrator?.name),
    keeping:
      stored &&
      (stored.retentionDays ? plural(stored.retentionDays, '{count} day', '{count} days') : t('Until you delete them')),
    erasing: undefined,
    backups: saved && (saved.last ? formatMoment(saved.last.at, zone) : t('None yet')),
    mail: sending && (sending.failed.length > 0 || sending.trouble !== null ? t('Not all of it was sent') : t('On')),
    audit: t('Who did what'),
  }
}
