import { type ReactNode, type SubmitEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { type Backups, PASSPHRASE_MINIMUM } from '#db/backup/schema.ts'
import type { AdminPage } from '#site/lib/admin-page.ts'
import { focusFailure } from '#site/lib/form-focus.ts'
import { useChangeable } from '#site/lib/hooks.ts'
import { backups, downloadBackup, makeBackup } from '#site/stores/admin/backups.ts'
import { comma, formatMoment, numberText } from '#site/texts/dates.ts'
import { said } from '#site/texts/said.ts'
import { plural, t } from '#site/texts/texts.ts'
import { Button } from '#site/ui/Button.tsx'
import { Field } from '#site/ui/Field.tsx'
import { Loaded, Panel } from '#site/ui/Panel.tsx'
import { Sentence } from '#site/ui/Sentence.tsx'

export function BackupsPanel({ admin: { zone, rsvpCommand } }: { admin: AdminPage }) {
  const reading = useChangeable(undefined, backups)

  return (
    <Panel id="backups" title={t('Backups')} description={t('Copies of everything that is stored.')}>
      <div className="event-texts">
        <Loaded reading={reading} loading={t('Loading the backups...')} failed={t('The backups could not be loaded.')}>
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

function BackupList({ backups: { last, next, drill, copies }, zone }: { backups: Backups; zone: string }) {
  const isSoon = next !== null && Date.parse(next) <= Date.now()
  return (
    <dl className="event-texts__list">
      <Fact label={t('Last backup')}>
        {last === null ? (
          t('None yet')
        ) : (
          <>
            {formatMoment(last.at, zone)}
            {last.responses !== null && comma() + plural(last.responses, '{count} response', '{count} responses')}
            <br />
            <code dir="ltr">{last.file}</code>
          </>
        )}
      </Fact>
      {next !== null && <Fact label={t('Next backup')}>{isSoon ? t('Within an hour') : formatMoment(next, zone)}</Fact>}
      <Fact label={t('Last restored as a test')}>
        {drill === null ? t('Never') : drillText(drill.passed, formatMoment(drill.at, zone))}
      </Fact>
      {copies !== null && (
        <Fact label={t('Last copy elsewhere')}>
          {copies.at === null ? t('None yet') : formatMoment(copies.at, zone)}
          <br />
          <code dir="ltr">{copies.place}</code>
        </Fact>
      )}
    </dl>
  )
}

function drillText(passed: boolean, moment: string): string {
  return passed ? t('{moment}: it worked', { moment }) : t('{moment}: it failed', { moment })
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="event-texts__text">
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function MakeBackup({ backups }: { backups: Backups }) {
  const [busy, setBusy] = useState(false)

  async function make() {
    if (busy) return
    setBusy(true)
    await makeBackup(backups)
    setBusy(false)
  }

  if (backups.trouble !== null) return <p className="notice notice--warning">{said(backups.trouble)}</p>
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
    <Button variant="secondary" aria-disabled={busy || undefined} onClick={make}>
      {busy ? t('Making a backup...') : t('Make One Now')}
    </Button>
  )
}

function DownloadForm({ rsvpCommand }: { rsvpCommand: string }) {
  const [passphrase, setPassphrase] = useState('')
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)

  async function download(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (busy) return
    setBusy(true)
    setError(undefined)
    const isDone = await downloadBackup(passphrase, (reason) => flushSync(() => setError(reason)))
    setBusy(false)
    if (isDone) setPassphrase('')
    else focusFailure(form.current, undefined)
  }

  return (
    <form
      className="keeping needs-script"
      aria-label={t('Download a backup')}
      ref={form}
      // Sends nothing before the script has loaded: the passphrase would be in the address.
      method="dialog"
      onSubmit={download}
      noValidate
    >
      <Field
        label={t('Passphrase for a download, at least {minimum} characters', {
          minimum: numberText(PASSPHRASE_MINIMUM),
        })}
        name="passphrase"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        dir="auto"
        value={passphrase}
        error={error}
        onChange={({ currentTarget }) => setPassphrase(currentTarget.value)}
        below={
          <p className="keeping__hint">
            {t('It encrypts the file. Write it down elsewhere: without it no one can ever open the file.')}
          </p>
        }
      />
      <Button type="submit" variant="secondary" aria-disabled={busy || undefined}>
        {busy ? t('Encrypting a backup...') : t('Download One')}
      </Button>
      <p>
        <Sentence
          text="To restore it, whoever runs the server stops the site, decrypts the file with {decrypt} and runs {restore}."
          decrypt={<code dir="ltr">age -d -o rsvp.db rsvp-….db.age</code>}
          restore={<code dir="ltr">{rsvpCommand} backup restore rsvp.db</code>}
        />
      </p>
    </form>
  )
}
