import type { ReactNode } from 'react'
import { type Backups, PASSPHRASE_MINIMUM } from '#db/backup/schema.ts'
import type { AdminPage } from '#site/lib/admin-page.ts'
import { useChangeable } from '#site/lib/hooks.ts'
import { useForm } from '#site/lib/use-form.ts'
import { backups, downloadBackup, makeBackup } from '#site/stores/admin/settings.ts'
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
        {drill === null && t('Never')}
        {drill?.passed === true && t('{moment}: it worked', { moment: formatMoment(drill.at, zone) })}
        {drill?.passed === false && t('{moment}: it failed', { moment: formatMoment(drill.at, zone) })}
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

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="event-texts__text">
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function MakeBackup({ backups }: { backups: Backups }) {
  const { form, pending } = useForm(() => makeBackup(backups))

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
    <form {...form}>
      <Button type="submit" variant="secondary" aria-disabled={pending || undefined}>
        {pending ? t('Making a backup...') : t('Make One Now')}
      </Button>
    </form>
  )
}

function DownloadForm({ rsvpCommand }: { rsvpCommand: string }) {
  const { form, errors, pending } = useForm((text, refuse) => downloadBackup(text('passphrase'), refuse))

  return (
    <form {...form} className="stack needs-script" aria-label={t('Download a backup')}>
      <Field
        label={t('Passphrase for a download, at least {minimum} characters', {
          minimum: numberText(PASSPHRASE_MINIMUM),
        })}
        name="passphrase"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        dir="auto"
        hint={t('It encrypts the file. Write it down elsewhere: without it no one can ever open the file.')}
        error={errors.passphrase}
      />
      <Button type="submit" variant="secondary" aria-disabled={pending || undefined}>
        {pending ? t('Encrypting a backup...') : t('Download One')}
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
