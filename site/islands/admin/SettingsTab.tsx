import type { FC, ReactNode } from 'react'
import { featureNames } from '#db/feature/schema.ts'
import { findContradictions } from '#db/schedule/contradictions.ts'
import { publicNamesTexts } from '#db/settings/texts.ts'
import type { AdminPage, Section } from '#site/lib/admin-page.ts'
import { useChangeable } from '#site/lib/hooks.ts'
import { backups } from '#site/stores/admin/backups.ts'
import { eventLanguages } from '#site/stores/admin/event-languages.ts'
import { mail } from '#site/stores/admin/mail.ts'
import { schedule } from '#site/stores/admin/schedule.ts'
import { church, features, settings } from '#site/stores/admin/settings.ts'
import { volunteerRoles } from '#site/stores/admin/volunteer-roles.ts'
import { comma, formatMoment, weekdayName } from '#site/texts/dates.ts'
import { said } from '#site/texts/said.ts'
import { clockText } from '#site/texts/schedule.ts'
import { capitalized, languageName, plural, t } from '#site/texts/texts.ts'
import { Icon } from '#site/ui/Icon.tsx'
import { AccountPanel, useOwnName } from './AccountPanel.tsx'
import { AddressPanel } from './AddressPanel.tsx'
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
import { EventPanel, FeaturesPanel, PublicNamesPanel, RetentionPanel } from './SettingsPanels.tsx'

/** A section: its name, its panel, and what its link says on a phone, e.g. its present value. */
type Shown = { name: () => string; Panel: FC<{ admin: AdminPage }>; useValue: (admin: AdminPage) => ReactNode }

const shown: Record<Section, Shown> = {
  event: { name: () => t('Event'), Panel: EventPanel, useValue: useEventValue },
  schedule: { name: () => t('Schedule'), Panel: SchedulePanel, useValue: useScheduleValue },
  roles: { name: () => t('Roles'), Panel: RolesPanel, useValue: useRolesValue },
  features: { name: () => t('Features'), Panel: FeaturesPanel, useValue: useFeaturesValue },
  church: { name: () => t('Church'), Panel: ChurchPanel, useValue: useChurchValue },
  'event-languages': { name: () => t('Languages'), Panel: EventLanguagesPanel, useValue: useLanguagesValue },
  names: { name: () => t('Names'), Panel: PublicNamesPanel, useValue: useNamesValue },
  prayers: { name: () => t('Prayer requests'), Panel: PrayersPanel, useValue: usePrayersValue },
  address: { name: () => t('Public Address'), Panel: AddressPanel, useValue: useAddressValue },
  administrators: {
    name: () => t('Administrators'),
    Panel: AdministratorsPanel,
    useValue: () => t('Who may do what'),
  },
  account: {
    name: () => t('Your account'),
    Panel: AccountPanel,
    useValue: ({ administrator }) => useOwnName(administrator?.name),
  },
  keeping: { name: () => t('Keeping'), Panel: RetentionPanel, useValue: useKeepingValue },
  erasing: { name: () => t('Erase for Good'), Panel: ErasePanel, useValue: () => undefined },
  backups: { name: () => t('Backups'), Panel: BackupsPanel, useValue: useBackupsValue },
  mail: { name: () => t('Mail'), Panel: MailPanel, useValue: useMailValue },
  audit: { name: () => t('Audit'), Panel: AuditPanel, useValue: () => t('Who did what') },
}

/** About how high the panels are beside one another, in rem. */
const heights: Record<Section, number> = {
  ...{ event: 27, schedule: 60, roles: 43, features: 21, church: 33, 'event-languages': 43, names: 28, prayers: 37 },
  ...{ address: 21, administrators: 29, account: 59, keeping: 22, erasing: 21, backups: 41, mail: 18, audit: 13 },
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
          <nav className="sections" id="all-settings" tabIndex={-1} aria-label={t('Settings')}>
            <ul className="sections__list">
              {sections.map((id) => (
                <SectionLink key={id} id={id} admin={admin} />
              ))}
            </ul>
          </nav>
          <a className="settings__all" href="#all-settings">
            <Icon shape={chevron} />
            {t('All settings')}
          </a>
        </>
      )}
      {columnsOf(sections).map((column) => (
        <div key={column[0]} className="settings__column">
          {column.map((id) => {
            const { Panel } = shown[id]
            return <Panel key={id} admin={admin} />
          })}
        </div>
      ))}
    </div>
  )
}

/** Divided where the higher of the two is lowest; not by CSS, which moves panels as they grow. */
function columnsOf(sections: Section[]): Section[][] {
  const heightOf = (ids: Section[]) => ids.reduce((sum, id) => sum + heights[id], 0)
  const columns = sections.map((_, place) => [sections.slice(0, place + 1), sections.slice(place + 1)])
  const higher = (pair: Section[][]) => Math.max(...pair.map(heightOf))
  const [best = []] = columns.sort((one, other) => higher(one) - higher(other))
  // An empty one would leave its half of the page empty.
  return best.filter(({ length }) => length > 0)
}

const chevron = 'm9.5 5.5 6.5 6.5-6.5 6.5'

function SectionLink({ id, admin }: { id: Section; admin: AdminPage }) {
  const { name, useValue } = shown[id]
  const value = useValue(admin)
  return (
    <li>
      <a className="sections__link" href={`#${id}`}>
        <span>
          <span className="sections__name">{name()}</span> <span className="sections__value">{value}</span>
        </span>
        <Icon shape={chevron} />
      </a>
    </li>
  )
}

function useEventValue(admin: AdminPage): ReactNode {
  const times = useChangeable(admin.schedule, schedule).data
  const spoken = useChangeable(admin.languages, eventLanguages).data
  if (admin.event && times && findContradictions(admin.event, times).length > 0) return t('Does not match the schedule')
  return <span lang={spoken?.language}>{admin.event?.pageTitle}</span>
}

function useScheduleValue(admin: AdminPage): ReactNode {
  const times = useChangeable(admin.schedule, schedule).data
  if (times?.confirmed === false) return t('A guess so far')
  return times && [weekdayName(times.weekday), clockText(times.startTime)].join(comma())
}

function useRolesValue(admin: AdminPage): ReactNode {
  const roles = useChangeable(admin.roles, volunteerRoles).data
  return roles && plural(roles.length, '{count} role', '{count} roles')
}

function useFeaturesValue(admin: AdminPage): ReactNode {
  const switches = useChangeable(admin.features, features).data
  const count = featureNames.filter((name) => switches?.[name]).length
  return switches && t('{count} of {total} on', { count, total: featureNames.length })
}

function useChurchValue(admin: AdminPage): ReactNode {
  const named = useChangeable(admin.church, church).data
  return named && (named.name ?? t('No name yet'))
}

function useLanguagesValue(admin: AdminPage): ReactNode {
  const spoken = useChangeable(admin.languages, eventLanguages).data
  return spoken && [spoken.language, ...spoken.translations].map((one) => capitalized(languageName(one))).join(comma())
}

function useNamesValue(admin: AdminPage): ReactNode {
  const stored = useChangeable(admin.settings, settings).data
  return stored && said(publicNamesTexts[stored.publicNames].label)
}

function usePrayersValue(admin: AdminPage): ReactNode {
  const stored = useChangeable(admin.settings, settings).data
  return stored && (stored.prayers ? t('In the form') : t('Not in the form'))
}

function useKeepingValue(admin: AdminPage): ReactNode {
  const stored = useChangeable(admin.settings, settings).data
  if (stored?.retentionDays) return plural(stored.retentionDays, '{count} day', '{count} days')
  return stored && t('Until you delete them')
}

function useAddressValue(admin: AdminPage): ReactNode {
  const stored = useChangeable(admin.settings, settings).data
  return stored && (admin.givenPublicUrl ?? stored.publicUrl ?? t('None yet'))
}

function useMailValue(): ReactNode {
  const state = useChangeable(undefined, mail).data
  return state && (state.failed.length > 0 || state.trouble !== null ? t('Not all of it was sent') : t('On'))
}

function useBackupsValue({ zone }: AdminPage): ReactNode {
  const saved = useChangeable(undefined, backups).data
  return saved && (saved.last ? formatMoment(saved.last.at, zone) : t('None yet'))
}
