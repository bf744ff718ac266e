import { Content, List, Root, Trigger } from 'radix-ui/tabs'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { directionOf } from '#db/values/languages.ts'
import { type AdminPage, type AdminTab, adminTabFrom, viewAddress } from '#site/lib/admin-page.ts'
import { showKeptNotice } from '#site/stores/admin/stored-rsvps.ts'
import { currentTexts, t } from '#site/texts/texts.ts'
import { ErrorBoundary } from '#site/ui/ErrorBoundary.tsx'
import { NoEmailNote } from './admin/AccountPanel.tsx'
import { ProofDialog } from './admin/ProofDialog.tsx'
import { WhomToCall } from './admin/ResponsesNotes.tsx'
import { ResponsesPanel } from './admin/ResponsesPanel.tsx'
import { GuessReminder } from './admin/SchedulePanel.tsx'
import { SettingsTab } from './admin/SettingsTab.tsx'
import { SharePanel } from './admin/SharePanel.tsx'

/** The administration. The selected tab is part of the address, so that it can be bookmarked. */
export function AdminTabs({
  tab,
  overview,
  ...admin
}: AdminPage & {
  tab: AdminTab
  overview?: ReactNode
}) {
  const { tabs, toCall } = admin
  const [selected, setSelected] = useState(tab)
  /** Where the tab of the responses was left. */
  const responsesAddress = useRef(viewAddress(admin.view))

  useEffect(showKeptNotice, [])
  // Links to sections of the settings add entries to the history.
  useEffect(() => {
    const follow = () => setSelected(adminTabFrom(new URLSearchParams(location.search), tabs))
    addEventListener('popstate', follow)
    return () => removeEventListener('popstate', follow)
  }, [tabs])

  function select(next: AdminTab) {
    // Only the address has the page of the responses.
    if (adminTabFrom(new URLSearchParams(location.search), tabs) === 'responses')
      responsesAddress.current = location.href
    setSelected(next)
    history.replaceState(history.state, '', next === 'responses' ? responsesAddress.current : `/admin?tab=${next}`)
  }

  const labels = {
    responses: admin.seesResponses ? t('Responses') : t('Overview'),
    settings: t('Settings'),
    share: t('Share'),
  }
  const panels = {
    responses: (
      <>
        {admin.seesResponses && (
          <a className="skip-link button button--primary" href="#responses">
            {t('Skip to the responses')}
          </a>
        )}
        {admin.schedule && admin.sections.includes('schedule') && <GuessReminder rendered={admin.schedule} />}
        {overview}
        {toCall && toCall.length > 0 && <WhomToCall people={toCall} {...admin} />}
        {admin.seesResponses && <ResponsesPanel admin={admin} />}
      </>
    ),
    settings: <SettingsTab admin={admin} />,
    share: <SharePanel admin={admin} />,
  }
  return (
    <Root
      className="tabs"
      dir={directionOf(currentTexts().language)}
      value={selected}
      onValueChange={(next) => select(next as AdminTab)}
    >
      {admin.account && <NoEmailNote rendered={admin.account} />}
      {/* Radix would write style attributes, which the page does not allow. */}
      <List className="tabs__list needs-script" aria-label={t('Administration')} style={{ outline: undefined }}>
        {tabs.map((id) => (
          // Radix listens to mousedown, but a press before hydration is replayed as a click.
          <Trigger key={id} className="tabs__tab" value={id} onClick={() => select(id)}>
            {labels[id]}
          </Trigger>
        ))}
      </List>
      {tabs.map((id) => (
        <Content key={id} asChild value={id} tabIndex={undefined}>
          <div className="tabs__panel" style={{ animationDuration: undefined }}>
            <ErrorBoundary>{panels[id]}</ErrorBoundary>
          </div>
        </Content>
      ))}
      <ProofDialog rendered={admin.account} />
    </Root>
  )
}
