import { useStore } from '@nanostores/react'
import { useRef } from 'react'
import { type AuditPage, auditTexts } from '#db/audit/schema.ts'
import type { AdminPage } from '#site/lib/admin-page.ts'
import { $audit, readAudit } from '#site/stores/admin/audit.ts'
import { formatMoment } from '#site/texts/dates.ts'
import { t } from '#site/texts/texts.ts'
import { Button } from '#site/ui/Button.tsx'
import { Loaded, Panel } from '#site/ui/Panel.tsx'

/** What administrators did. Loaded when it is opened: few ever need it. */
export function AuditPanel({ admin: { zone } }: { admin: Pick<AdminPage, 'zone'> }) {
  const { page, error } = useStore($audit)

  return (
    <Panel
      id="audit"
      title={t('Audit')}
      description={t('What administrators did, and when. It names responses by their numbers.')}
    >
      <details
        className="needs-script"
        onToggle={({ currentTarget: { open } }) => {
          if (open && !page) readAudit()
        }}
      >
        <summary>{t('Show what was done')}</summary>
        <Loaded
          reading={{ data: page ?? null, error, reload: () => readAudit() }}
          failed={t('The audit could not be loaded.')}
        >
          {(data) => <Entries page={data} zone={zone} />}
        </Loaded>
      </details>
    </Panel>
  )
}

function Entries({ page, zone }: { page: AuditPage; zone: string }) {
  const list = useRef<HTMLOListElement>(null)
  const { entries, next } = page

  /** The button may be gone afterwards: the focus goes to the first of the new entries. */
  async function readEarlier() {
    await readAudit(page)
    const added = list.current?.children[entries.length]
    if (added instanceof HTMLElement) added.focus()
  }

  return (
    <div className="stack">
      {entries.length === 0 && <p>{t('Nothing was done.')}</p>}
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
