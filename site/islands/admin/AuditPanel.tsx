import { useStore } from '@nanostores/react'
import { type ChangeEvent, useRef } from 'react'
import { type AuditFilter, type AuditPage, auditActions, auditTexts } from '#db/audit/schema.ts'
import type { AdminPage } from '#site/lib/admin-page.ts'
import { $audit, readAudit } from '#site/stores/admin/audit.ts'
import { formatMoment } from '#site/texts/dates.ts'
import { plural, t } from '#site/texts/texts.ts'
import { Button } from '#site/ui/Button.tsx'
import { Field } from '#site/ui/Field.tsx'
import { Loaded, Panel } from '#site/ui/Panel.tsx'

/** What administrators did. Loaded when it is opened: few ever need it. */
export function AuditPanel({ admin: { zone } }: { admin: Pick<AdminPage, 'zone'> }) {
  const { filter, page, error } = useStore($audit)

  return (
    <Panel
      id="audit"
      title={t('Audit')}
      description={t('What administrators did, and when. It names responses by their numbers.')}
    >
      <details
        className="needs-script"
        onToggle={({ currentTarget: { open } }) => {
          if (open && !page) readAudit(filter)
        }}
      >
        <summary>{t('Show what was done')}</summary>
        <Loaded
          reading={{ data: page ?? null, error, reload: () => readAudit(filter) }}
          failed={t('The audit could not be loaded.')}
        >
          {(data) => <Entries page={data} filter={filter} zone={zone} />}
        </Loaded>
      </details>
    </Panel>
  )
}

function Entries({ page, filter, zone }: { page: AuditPage; filter: AuditFilter; zone: string }) {
  const list = useRef<HTMLOListElement>(null)
  const { entries, people, next } = page
  const choose = ({ currentTarget: { name, value } }: ChangeEvent<HTMLSelectElement>) =>
    readAudit({ ...filter, [name]: value })

  /** The button may be gone afterwards: the focus goes to the first of the new entries. */
  async function readEarlier() {
    await readAudit(filter, page)
    const added = list.current?.children[entries.length]
    if (added instanceof HTMLElement) added.focus()
  }

  return (
    <div className="stack">
      <div className="columns">
        <Field as="select" label={t('Who')} name="who" value={filter.who ?? ''} onChange={choose}>
          <option value="">{t('All')}</option>
          {people.map(({ id, name, removed }) => (
            <option key={id} value={id}>
              {removed ? t('{name} (removed)', { name }) : name}
            </option>
          ))}
          {['terminal', 'site', 'visitor', 'open mode'].map((actor) => (
            <option key={actor} value={actor}>
              {actorText(actor)}
            </option>
          ))}
        </Field>
        <Field as="select" label={t('What')} name="action" value={filter.action ?? ''} onChange={choose}>
          <option value="">{t('All')}</option>
          {auditActions.map((action) => (
            <option key={action} value={action}>
              {t(auditTexts[action])}
            </option>
          ))}
        </Field>
      </div>
      <p className="visually-hidden" role="status">
        {plural(entries.length, '{count} entry', '{count} entries')}
      </p>
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
