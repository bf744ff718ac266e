import { useState } from 'react'
import type { Features } from '#db/feature/schema.ts'
import type { StoredRsvp } from '#db/rsvp/schema.ts'
import type { Settings } from '#db/settings/schema.ts'
import type { VolunteerRole } from '#db/volunteer-role/schema.ts'
import { type AdminTab, adminTabs } from '#site/lib/admin-tab.ts'
import { Tabs } from '#site/ui/Tabs.tsx'
import { PublicNamesPanel } from './admin/PublicNamesPanel.tsx'
import { ResponsesPanel } from './admin/ResponsesPanel.tsx'
import { RolesPanel } from './admin/RolesPanel.tsx'
import { SettingsPanel } from './admin/SettingsPanel.tsx'
import { SharePanel } from './admin/SharePanel.tsx'

/** The administration. The selected tab is part of the address, so that it can be bookmarked. */
export function AdminTabs({
  tab,
  responses,
  complete,
  counts,
  features,
  roles,
  settings,
  open,
  shareLink,
  zone,
  restorableDays,
}: {
  tab: AdminTab
  responses: StoredRsvp[] | null
  complete: boolean
  counts: { attending: number; notAttending: number } | null
  features: Features | null
  roles: VolunteerRole[] | null
  settings: Settings | null
  /** Open mode: there is no sign-in. */
  open: boolean
  shareLink: string
  zone: string
  restorableDays: number
}) {
  const [selected, setSelected] = useState(tab)

  function select(next: AdminTab) {
    setSelected(next)
    history.replaceState(history.state, '', next === 'responses' ? '/admin' : `/admin?tab=${next}`)
  }

  const panels = {
    responses: (
      <ResponsesPanel
        rendered={responses}
        complete={complete}
        counts={counts}
        zone={zone}
        restorableDays={restorableDays}
      />
    ),
    settings: (
      <>
        <SettingsPanel rendered={features} />
        <RolesPanel rendered={roles} />
        <PublicNamesPanel rendered={settings} open={open} />
      </>
    ),
    share: <SharePanel link={shareLink} />,
  }
  return (
    <Tabs
      label="Administration"
      tabs={adminTabs.map(({ id, label }) => ({ id, label, panel: panels[id] }))}
      selected={selected}
      onSelect={select}
    />
  )
}
