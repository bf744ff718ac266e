import type { Backups } from '#db/backup/schema.ts'
import { request } from '#site/lib/request.ts'
import { t } from '#site/texts/texts.ts'
import { changeableAt, type Refuse } from './changeable.ts'
import { download } from './download.ts'
import { withProof } from './proof.ts'
import { reasonOr } from './reason.ts'

export const backups = changeableAt('/api/backups')

export function makeBackup(current: Backups): Promise<boolean> {
  return backups.change(current, {
    send: async () => (await request('POST /api/backups')).json(),
    notice: { title: t('Backup Made'), description: t('Everything that is stored now is in it.') },
    failure: reasonOr(t('No backup could be made.')),
  })
}

/** Downloads an encrypted backup. @returns whether it was handed to the browser. */
export function downloadBackup(passphrase: string, refuse: Refuse): Promise<boolean> {
  const call = () => withProof(() => request('POST /api/backups/download', { body: { passphrase } }))
  const failure = reasonOr(t('The backup could not be downloaded. Try again.'))
  return download(call, 'rsvp.db.age', { failure, refuse })
}
