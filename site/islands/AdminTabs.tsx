import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Church } from '#db/church/schema.ts'
import type { EventContent } from '#db/event/content.ts'
import type { EventLanguages } from '#db/event/schema.ts'
import type { Features } from '#db/feature/schema.ts'
import type { ShownDuplicates, TablePage, ToCall } from '#db/rsvp/schema.ts'
import type { CurrentSchedule } from '#db/schedule/schema.ts'
import type { Settings } from '#db/settings/schema.ts'
import type { OfferedRole } from '#db/volunteer-role/schema.ts'
import { type AdminTab, adminTabs } from '#site/lib/admin-tab.ts'
import type { EntryDays } from '#site/lib/entry-form.ts'
import { type ResponsesView, viewAddress } from '#site/lib/responses-view.ts'
import { showCarriedToast } from '#site/stores/admin/show-carried-toast.ts'
import { t } from '#site/texts/texts.ts'
import { Tabs } from '#site/ui/Tabs.tsx'
import { ChurchPanel } from './admin/ChurchPanel.tsx'
import { EventLanguagesPanel } from './admin/EventLanguagesPanel.tsx'
import { PublicNamesPanel } from './admin/PublicNamesPanel.tsx'
import { ResponsesPanel } from './admin/ResponsesPanel.tsx'
import { RetentionPanel } from './admin/RetentionPanel.tsx'
import { RolesPanel } from './admin/RolesPanel.tsx'
import { SchedulePanel } from './admin/SchedulePanel.tsx'
import { SettingsPanel } from './admin/SettingsPanel.tsx'
import { SharePanel } from './admin/SharePanel.tsx'
import { GuessReminder } from './admin/schedule/GuessReminder.tsx'

/** The administration. The selected tab is part of the address, so that it can be bookmarked. */
export function AdminTabs({
  tab,
  view,
  week,
  page,
  duplicates,
  counts,
  overview,
  turnout,
  toCall,
  inviting,
  days,
  features,
  roles,
  settings,
  church,
  schedule,
  event,
  languages,
  today,
  upcoming,
  open,
  shareLink,
  zone,
  restorableDays,
}: {
  tab: AdminTab
  /** What the table shows, as the address says it. */
  view: ResponsesView
  /** The day of the service that it is about; undefined for all of them. */
  week?: string | undefined
  page: TablePage | null
  /** With the ids of the rows of this page that are superseded; null if the server could not read it. */
  duplicates: ShownDuplicates | null
  counts: { attending: number; notAttending: number } | null
  /** What is said of the week, drawn by the server. */
  overview?: ReactNode
  /** What is asked of the last service, drawn by the server as well. */
  turnout?: ReactNode
  /** Whom to tell that the service is skipped. */
  toCall: ToCall[] | undefined
  /** Whether people can still respond for what is shown. */
  inviting: boolean
  /** The services that a response can be entered for. */
  days: EntryDays
  features: Features | null
  roles: OfferedRole[] | null
  settings: Settings | null
  church: Church | null
  schedule: CurrentSchedule | null
  /** The event's own texts, which may contradict the schedule. */
  event: EventContent | null
  languages: EventLanguages | null
  /** In the time zone of the schedule. */
  today: string
  /** How many responses there are for services to come. */
  upcoming: number
  /** Open mode: there is no sign-in. */
  open: boolean
  shareLink: string
  zone: string
  restorableDays: number
}) {
  const [selected, setSelected] = useState(tab)
  const left = useRef(viewAddress(view))

  useEffect(showCarriedToast, [])

  function select(next: AdminTab) {
    // Only the address says which page of the responses this is.
    if (selected === 'responses') left.current = location.href
    setSelected(next)
    history.replaceState(history.state, '', next === 'responses' ? left.current : `/admin?tab=${next}`)
  }

  const labels = { responses: t('Responses'), settings: t('Settings'), share: t('Share') }
  const panels = {
    responses: (
      <>
        <a className="skip-link button button--primary" href="#responses">
          {t('Skip to the responses')}
        </a>
        {schedule && <GuessReminder rendered={schedule} />}
        {turnout}
        <ResponsesPanel
          view={view}
          week={week}
          // Which service each was for is only a guess until the schedule is confirmed.
          severalWeeks={week === undefined && schedule?.confirmed === true}
          page={page}
          duplicates={duplicates}
          roles={roles}
          counts={counts}
          overview={overview}
          toCall={toCall}
          today={today}
          inviting={inviting}
          choices={{ days, roles, features }}
          zone={zone}
          restorableDays={restorableDays}
        />
      </>
    ),
    settings: (
      <div className="settings">
        <SettingsPanel rendered={features} />
        <ChurchPanel rendered={church} />
        <SchedulePanel rendered={schedule} event={event} today={today} upcoming={upcoming} />
        <EventLanguagesPanel rendered={languages} event={event} roles={roles} />
        <RolesPanel rendered={roles} />
        <PublicNamesPanel rendered={settings} open={open} />
        <RetentionPanel settings={settings} restorableDays={restorableDays} />
      </div>
    ),
    share: <SharePanel link={shareLink} />,
  }
  return (
    <Tabs
      label={t('Administration')}
      tabs={adminTabs.map((id) => ({ id, label: labels[id], panel: panels[id] }))}
      selected={selected}
      onSelect={select}
    />
  )
}
