import type { Backups } from '#db/backup/schema.ts'
import type { AdminPage } from '#site/lib/admin-page.ts'
import { useChangeable } from '#site/lib/hooks.ts'
import { useForm } from '#site/lib/use-form.ts'
import { backups, downloadBackup, makeBackup } from '#site/stores/admin/settings.ts'
import { formatMoment } from '#site/texts/dates.ts'
import { t } from '#site/texts/texts.ts'
import { Button } from '#site/ui/Button.tsx'
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
  const { form, pending } = useForm(() => makeBackup())

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
    <form {...form}>
      <Button type="submit" variant="secondary" aria-disabled={pending || undefined}>
        {pending ? t('Making a backup...') : t('Make One Now')}
      </Button>
    </form>
  )
}

function DownloadForm({ rsvpCommand }: { rsvpCommand: string }) {
  const { form, pending } = useForm(() => downloadBackup())

  return (
    <form {...form} className="stack needs-script" aria-label={t('Download a backup')}>
      <Button type="submit" variant="secondary" aria-disabled={pending || undefined}>
        {pending ? t('Making a backup...') : t('Download One')}
      </Button>
      <p>{t('It holds everything that is stored, not encrypted. Keep it where only you can read it.')}</p>
      <p>
        <Sentence
          text="To restore it, whoever runs the server stops the site and runs {restore}."
          restore={<code dir="ltr">{rsvpCommand} backup restore rsvp-….db</code>}
        />
      </p>
    </form>
  )
}
