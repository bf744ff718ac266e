import type { Backups } from '#db/backup/schema.ts'
import { ResponseError, request } from '#site/lib/request.ts'
import { createResource } from '#site/stores/resources.ts'
import { said } from '#site/texts/said.ts'
import { t } from '#site/texts/texts.ts'
import { makeChangeable, tellFailedAct } from './changeable.ts'
import { withProof } from './proof.ts'
import { reasonOr } from './reason.ts'

/** How long a browser may take to begin saving a file, in ms. */
const SAVING_MS = 60_000

export const backups = makeChangeable(
  createResource('/api/backups', (error) => tellFailedAct(t('Failed to load the backups'), error)),
)

export function makeBackup(current: Backups): Promise<boolean> {
  return backups.change(current, {
    send: async () => (await request('POST /api/backups')).json(),
    notice: { title: t('Backup Made'), description: t('Everything that is stored now is in it.') },
    failure: reasonOr(t('No backup could be made.')),
  })
}

/**
 * Downloads an encrypted backup. It is fetched, not posted by a form, so that a refusal is a notice on this page; the
 * browser keeps a large blob on its disk.
 * @param refuse says beside the field what is wrong with the passphrase.
 * @returns whether it was handed to the browser.
 */
export async function downloadBackup(passphrase: string, refuse: (reason: string) => void): Promise<boolean> {
  try {
    const reply = await withProof(() => request('POST /api/backups/download', { body: { passphrase } }))
    const [, name = ''] = /filename="(.+)"/.exec(reply.headers.get('content-disposition') ?? '') ?? []
    const link = document.createElement('a')
    link.href = URL.createObjectURL(await reply.blob())
    link.download = name
    link.click()
    setTimeout(() => URL.revokeObjectURL(link.href), SAVING_MS)
    return true
  } catch (error) {
    const [refused] = error instanceof ResponseError ? error.fields : []
    if (refused?.path === 'passphrase') refuse(said(refused.message))
    else tellFailedAct(reasonOr(t('The backup could not be downloaded. Try again.'))(error), error)
    return false
  }
}
