import { atom } from 'nanostores'
import type { AuditPage } from '#db/audit/schema.ts'
import { request } from '#site/lib/request.ts'
import { t } from '#site/texts/texts.ts'
import { tellFailedAct } from './attempt.ts'

/** The pages of the audit that were read so far. */
export const $audit = atom<{ page?: AuditPage; error?: unknown }>({})

/** Reads the first page, or the one below those that are shown. */
export async function readAudit(earlier?: AuditPage): Promise<void> {
  try {
    const query = earlier === undefined ? '' : `before=${earlier.next}`
    const page = await (await request(`GET /api/audit?${query}`)).json()
    $audit.set({ page: { ...page, entries: [...(earlier?.entries ?? []), ...page.entries] } })
  } catch (error) {
    if (earlier === undefined) $audit.set({ error })
    else tellFailedAct(t('The audit could not be loaded.'), error)
  }
}
