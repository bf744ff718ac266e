import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { type AdminPage, type AdminTab, adminTabs, viewAddress } from '#site/lib/admin-page.ts'
import { showCarriedToast } from '#site/stores/admin/undo.ts'
import { t } from '#site/texts/texts.ts'
import { ChurchPanel } from './admin/ChurchPanel.tsx'
import { EventLanguagesPanel } from './admin/EventLanguagesPanel.tsx'
import { ResponsesPanel } from './admin/ResponsesPanel.tsx'
import { RolesPanel } from './admin/RolesPanel.tsx'
import { GuessReminder, SchedulePanel } from './admin/SchedulePanel.tsx'
import { FeaturesPanel, PublicNamesPanel, RetentionPanel } from './admin/SettingsPanels.tsx'
import { SharePanel } from './admin/SharePanel.tsx'

/** The administration. The selected tab is part of the address, so that it can be bookmarked. */
export function AdminTabs({
  tab,
  overview,
  turnout,
  ...admin
}: AdminPage & {
  tab: AdminTab
  /** What is said of the week, drawn by the server. */
  overview?: ReactNode
  /** What is asked of the last service, drawn by the server as well. */
  turnout?: ReactNode
}) {
  const [selected, setSelected] = useState(tab)
  const left = useRef(viewAddress(admin.view))

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
        {admin.schedule && <GuessReminder rendered={admin.schedule} />}
        {turnout}
        <ResponsesPanel admin={admin} overview={overview} />
      </>
    ),
    settings: (
      <div className="settings">
        <FeaturesPanel rendered={admin.features} />
        <ChurchPanel rendered={admin.church} />
        <SchedulePanel admin={admin} />
        <EventLanguagesPanel admin={admin} />
        <RolesPanel rendered={admin.roles} />
        <PublicNamesPanel admin={admin} />
        <RetentionPanel admin={admin} />
      </div>
    ),
    share: <SharePanel link={admin.shareLink} />,
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

/** Tabs as in the WAI-ARIA pattern: one tab stop; the arrow keys, Home and End select at once. */
function Tabs<Id extends string>({
  label,
  tabs,
  selected,
  onSelect,
}: {
  /** The accessible name of the tab list. */
  label: string
  tabs: readonly { id: Id; label: ReactNode; panel: ReactNode }[]
  selected: Id
  onSelect: (id: Id) => void
}) {
  const prefix = useId()

  function selectByKey(event: KeyboardEvent<HTMLDivElement>) {
    const next = neighbor(
      event.key,
      tabs.findIndex((tab) => tab.id === selected),
      tabs.length,
    )
    const tab = next === undefined ? undefined : tabs[next]
    if (!tab) return
    event.preventDefault()
    onSelect(tab.id)
    document.getElementById(`${prefix}-${tab.id}-tab`)?.focus()
  }

  return (
    <div className="tabs">
      <div className="tabs__list needs-script" role="tablist" aria-label={label} onKeyDown={selectByKey}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            className="tabs__tab"
            id={`${prefix}-${tab.id}-tab`}
            type="button"
            role="tab"
            aria-selected={tab.id === selected}
            aria-controls={tab.id === selected ? `${prefix}-${tab.id}-panel` : undefined}
            tabIndex={tab.id === selected ? 0 : -1}
            onClick={() => onSelect(tab.id)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      {tabs.map(
        (tab) =>
          tab.id === selected && (
            <div
              key={tab.id}
              className="tabs__panel"
              id={`${prefix}-${tab.id}-panel`}
              role="tabpanel"
              aria-labelledby={`${prefix}-${tab.id}-tab`}
            >
              {tab.panel}
            </div>
          ),
      )}
    </div>
  )
}

function neighbor(key: string, current: number, count: number): number | undefined {
  if (key === 'ArrowRight') return (current + 1) % count
  if (key === 'ArrowLeft') return (current - 1 + count) % count
  if (key === 'Home') return 0
  if (key === 'End') return count - 1
  return undefined
}
