import type { ReactNode } from 'react'
import { featureNames } from '#db/feature/schema.ts'
import { findContradictions } from '#db/schedule/contradictions.ts'
import { publicNamesTexts } from '#db/settings/texts.ts'
import type { AdminPage } from '#site/lib/admin-page.ts'
import { useChangeable } from '#site/lib/hooks.ts'
import { eventLanguages } from '#site/stores/admin/event-languages.ts'
import { schedule } from '#site/stores/admin/schedule.ts'
import { church, features, settings } from '#site/stores/admin/settings.ts'
import { volunteerRoles } from '#site/stores/admin/volunteer-roles.ts'
import { comma, weekdayName } from '#site/texts/dates.ts'
import { said } from '#site/texts/said.ts'
import { clockText } from '#site/texts/schedule.ts'
import { capitalized, languageName, plural, t } from '#site/texts/texts.ts'
import { Icon } from '#site/ui/Icon.tsx'
import { AuditPanel } from './AuditPanel.tsx'
import { ChurchPanel } from './ChurchPanel.tsx'
import { EventLanguagesPanel } from './EventLanguagesPanel.tsx'
import { RolesPanel } from './RolesPanel.tsx'
import { SchedulePanel } from './SchedulePanel.tsx'
import { EventPanel, FeaturesPanel, PublicNamesPanel, RetentionPanel } from './SettingsPanels.tsx'

const chevron = 'm9.5 5.5 6.5 6.5-6.5 6.5'

/**
 * The settings in sections with links to them. On a phone the links are a list, with what each section says now, and
 * the address names the only section that is shown.
 */
export function SettingsTab({ admin }: { admin: AdminPage }) {
  return (
    <div className="settings">
      <nav className="sections" id="all-settings" tabIndex={-1} aria-label={t('Settings')}>
        <ul className="sections__list">
          {useSections(admin).map(([id, name, value]) => (
            <li key={id}>
              <a className="sections__link" href={`#${id}`}>
                <span>
                  <span className="sections__name">{name}</span> <span className="sections__value">{value}</span>
                </span>
                <Icon shape={chevron} />
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <a className="settings__all" href="#all-settings">
        <Icon shape={chevron} />
        {t('All settings')}
      </a>
      {/* In the order of the links, and about equally high. */}
      <div className="settings__column">
        <EventPanel admin={admin} />
        <SchedulePanel admin={admin} />
        <RolesPanel rendered={admin.roles} />
      </div>
      <div className="settings__column">
        <FeaturesPanel rendered={admin.features} />
        <ChurchPanel rendered={admin.church} />
        <EventLanguagesPanel admin={admin} />
        <PublicNamesPanel admin={admin} />
        <RetentionPanel admin={admin} />
        <AuditPanel admin={admin} />
      </div>
    </div>
  )
}

/** The anchor, the name and the present value of each section. */
function useSections(admin: AdminPage): [id: string, name: string, value: ReactNode][] {
  const times = useChangeable(admin.schedule, schedule).data
  const roles = useChangeable(admin.roles, volunteerRoles).data
  const switches = useChangeable(admin.features, features).data
  const named = useChangeable(admin.church, church).data
  const spoken = useChangeable(admin.languages, eventLanguages).data
  const stored = useChangeable(admin.settings, settings).data
  const days = stored?.retentionDays
  const contradicts = admin.event && times && findContradictions(admin.event, times).length > 0
  const title = <span lang={spoken?.language}>{admin.event?.pageTitle}</span>
  return [
    ['event', t('Event'), contradicts ? t('Does not match the schedule') : title],
    ['schedule', t('Schedule'), times && scheduleValue(times)],
    ['roles', t('Roles'), roles && plural(roles.length, '{count} role', '{count} roles')],
    [
      'features',
      t('Features'),
      switches &&
        t('{count} of {total} on', {
          count: featureNames.filter((name) => switches[name]).length,
          total: featureNames.length,
        }),
    ],
    ['church', t('Church'), named && (named.name ?? t('No name yet'))],
    [
      'event-languages',
      t('Languages'),
      spoken && [spoken.language, ...spoken.translations].map((one) => capitalized(languageName(one))).join(comma()),
    ],
    ['names', t('Names'), stored && said(publicNamesTexts[stored.publicNames].label)],
    [
      'keeping',
      t('Keeping'),
      stored && (days ? plural(days, '{count} day', '{count} days') : t('Until you delete them')),
    ],
    ['audit', t('Audit'), t('Who did what')],
  ]
}

function scheduleValue({ confirmed, weekday, startTime }: NonNullable<AdminPage['schedule']>): string {
  if (!confirmed) return t('A guess so far')
  return [weekdayName(weekday), clockText(startTime)].join(comma())
}
