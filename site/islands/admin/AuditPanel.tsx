import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { type AuditPage, auditTexts } from '#db/audit/schema.ts'
import type { AdminPage } from '#site/lib/admin-page.ts'
import { $audit, readAudit } from '#site/stores/admin/settings.ts'
import { formatMoment } from '#site/texts/dates.ts'
import { t } from '#site/texts/texts.ts'
import { Button } from '#site/ui/Button.tsx'
import { Panel } from '#site/ui/Panel.tsx'
import { OpenedList } from './Listed.tsx'

/** What administrators did. Loaded when it is opened: few ever need it. */
export function AuditPanel({ admin: { zone } }: { admin: AdminPage }) {
  return (
    <Panel
      id="audit"
      title={t('Audit')}
      description={t('What administrators did, and when. It names responses by their numbers.')}
    >
      <OpenedList<AuditPage>
        id="entries"
        title={t('Show what was done')}
        $resource={$audit}
        failed={t('The audit could not be loaded.')}
      >
        {(newest) => <Entries newest={newest} zone={zone} />}
      </OpenedList>
    </Panel>
  )
}

function Entries({ newest, zone }: { newest: AuditPage; zone: string }) {
  const list = useRef<HTMLOListElement>(null)
  const [{ entries, next }, setShown] = useState(newest)

  async function readEarlier() {
    const earlier = next === null ? undefined : await readAudit(next)
    if (!earlier) return
    flushSync(() => setShown({ ...earlier, entries: [...entries, ...earlier.entries] }))
    // The button may be gone.
    list.current?.querySelectorAll('li')[entries.length]?.focus()
  }

  if (entries.length === 0) return <p>{t('Nothing was done.')}</p>
  return (
    <div className="stack">
      <ol ref={list}>
        {entries.map(({ id, name, actor, action, about, at }) => (
          <li key={id} className="item" tabIndex={-1}>
            <p>
              <bdi className="item__name">{name ?? actorText(actor)}</bdi> <span>{t(auditTexts[action])}</span>{' '}
              {about !== '' && <bdi className="field__hint">{actorText(about)}</bdi>}
            </p>
            <time className="field__hint" dateTime={at}>
              {formatMoment(at, zone)}
            </time>
          </li>
        ))}
      </ol>
      {next !== null && (
        <Button variant="secondary" onClick={readEarlier}>
          {t('Earlier entries')}
        </Button>
      )}
    </div>
  )
}

function actorText(actor: string): string {
  const [, session] = /^session (\d+)$/.exec(actor) ?? []
  if (session !== undefined) return t('Session {id}', { id: session })
  const texts: Record<string, string> = {
    terminal: t('Terminal'),
    site: t('The site itself'),
    visitor: t('A visitor'),
    'open mode': t('Open mode'),
  }
  return texts[actor] ?? actor
}
