import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { type AuditPage, auditTexts } from '#db/values/audit.ts'
import type { Backups } from '#db/values/backups.ts'
import type { Settings } from '#db/values/settings.ts'
import type { AdminPage } from '#site/lib/admin-page.ts'
import { useChangeable } from '#site/stores/admin/changeable.ts'
import {
  $audit,
  backups,
  changeSettings,
  countOldRsvps,
  downloadBackup,
  makeBackup,
  readAudit,
} from '#site/stores/admin/settings.ts'
import { countRsvpsOf, eraseRsvpsOf } from '#site/stores/admin/stored-rsvps.ts'
import { formatMoment } from '#site/texts/dates.ts'
import { plural, t } from '#site/texts/texts.ts'
import { Button } from '#site/ui/Button.tsx'
import { useQuestion } from '#site/ui/Dialog.tsx'
import { Field } from '#site/ui/Field.tsx'
import { Loaded, Panel } from '#site/ui/Panel.tsx'
import { Sentence } from '#site/ui/Sentence.tsx'
import { Form, Submit, useForm } from './Form.tsx'
import { OpenedList } from './Listed.tsx'
import { daysField, SettingsForm } from './SettingsForm.tsx'

/** How long responses are kept. Before a change is saved, it says how many are older already. */
export function RetentionPanel({ admin }: { admin: AdminPage }) {
  const { ask, dialog } = useQuestion()

  /** Also saves what is unchanged: that confirms a clock that is in doubt. */
  async function save(typed: Partial<Settings>, stored: Settings) {
    const { retentionDays: days } = typed
    const change = () => void changeSettings(stored, typed, t('How long responses are kept has been changed.'))
    const old = days ? await countOldRsvps(days) : 0
    if (old === 0) change()
    if (!days || !old) return
    ask({
      title: plural(days, 'Keep responses for {count} day?', 'Keep responses for {count} days?'),
      confirmLabel: t('Save'),
      destructive: true,
      onConfirm: change,
      children: plural(
        old,
        '{count} response is older already. Within an hour it loses names, contact details and messages for good, and so does any other that is older by then.',
        '{count} responses are older already. Within an hour they lose names, contact details and messages for good, and so does any other that is older by then.',
      ),
    })
  }

  return (
    <Panel
      id="keeping"
      title={t('How Long Responses Are Kept')}
      description={t('After that names, contact details and messages are removed, and only the numbers stay.')}
    >
      <SettingsForm
        admin={admin}
        aria-label={t('How Long Responses Are Kept')}
        fields={[daysField('retentionDays', t('Keep responses'), [t('Until you delete them'), 30, 90, 180, 365, 730])]}
        save={save}
      />
      {dialog}
    </Panel>
  )
}

/** Erases everything that one person has sent, when that person asks for it. */
export function ErasePanel() {
  const [isNothingFound, setIsNothingFound] = useState(false)
  const { ask, dialog } = useQuestion()
  const form = useForm(async (text, refuse) => {
    setIsNothingFound(false)
    const email = text('email')
    const count = await countRsvpsOf(email, refuse)
    setIsNothingFound(count === 0)
    if (!count) return
    ask({
      title: plural(count, 'Erase {count} response for good?', 'Erase {count} responses for good?'),
      confirmLabel: t('Erase'),
      destructive: true,
      onConfirm: () => eraseRsvpsOf(email),
      children: (
        <>
          <bdi>{email}</bdi>
          <br />
          {t('This cannot be undone. Only older backups hold them then.')}
        </>
      ),
    })
  })

  return (
    <Panel
      id="erasing"
      title={t('Erase for Good')}
      description={t(
        'When someone asks for it: all responses sent with an email address, the deleted ones included. First make sure that the address belongs to the one who asks.',
      )}
    >
      <Form of={form} className="stack needs-script" aria-label={t('Erase for Good')}>
        <Field label={t('Email')} name="email" type="email" autoComplete="off" />
        <Submit variant="secondary">{t('Find Responses')}</Submit>
        <p role="status">{isNothingFound && t('Nothing is stored under that address.')}</p>
      </Form>
      {dialog}
    </Panel>
  )
}

export function BackupsPanel({ admin: { zone, rsvpCommand } }: { admin: AdminPage }) {
  const reading = useChangeable(undefined, backups)

  return (
    <Panel id="backups" title={t('Backups')}>
      <div className="stack">
        <Loaded reading={reading}>
          {(data) => (
            <>
              <BackupList backups={data} zone={zone} />
              <MakeBackup backups={data} />
            </>
          )}
        </Loaded>
        <DownloadForm rsvpCommand={rsvpCommand} />
      </div>
    </Panel>
  )
}

function BackupList({ backups: { last, next }, zone }: { backups: Backups; zone: string }) {
  const isSoon = next !== null && Date.parse(next) <= Date.now()
  return (
    <dl className="columns">
      <div>
        <dt className="field__label">{t('Last backup')}</dt>
        <dd>
          {last === null ? t('None yet') : formatMoment(last.at, zone)} {last && <code dir="ltr">{last.file}</code>}
        </dd>
      </div>
      {next !== null && (
        <div>
          <dt className="field__label">{t('Next backup')}</dt>
          <dd>{isSoon ? t('Within an hour') : formatMoment(next, zone)}</dd>
        </div>
      )}
    </dl>
  )
}

function MakeBackup({ backups }: { backups: Backups }) {
  const form = useForm(() => makeBackup())

  if (backups.trouble !== null) return <p className="notice notice--warning">{backups.trouble}</p>
  if (backups.folder === null) {
    return (
      <p className="notice notice--warning">
        <Sentence
          text="The site makes no backups, because it has no folder for them. Whoever runs the server sets {setting}, e.g. to another disk."
          setting={<code>BACKUP_DIR</code>}
        />
      </p>
    )
  }
  return (
    <Form of={form}>
      <Submit variant="secondary" pendingText={t('Making a backup...')}>
        {t('Make One Now')}
      </Submit>
    </Form>
  )
}

function DownloadForm({ rsvpCommand }: { rsvpCommand: string }) {
  const form = useForm(() => downloadBackup())

  return (
    <Form of={form} className="stack needs-script" aria-label={t('Download a backup')}>
      <Submit variant="secondary" pendingText={t('Making a backup...')}>
        {t('Download One')}
      </Submit>
      <p>{t('It holds everything that is stored, not encrypted. Keep it where only you can read it.')}</p>
      <p>
        <Sentence
          text="To restore it, whoever runs the server stops the site and runs {restore}."
          restore={<code dir="ltr">{rsvpCommand} backup restore rsvp-….db</code>}
        />
      </p>
    </Form>
  )
}

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
