import { atom } from 'nanostores'
import type { AuditFilter, AuditPage } from '#db/audit/schema.ts'
import { queryOf } from '#site/lib/admin-page.ts'
import { request } from '#site/lib/request.ts'
import { t } from '#site/texts/texts.ts'
import { tellFailedAct } from './changeable.ts'

type Shown = { filter: AuditFilter; page?: AuditPage; error?: unknown }

/** The pages of the audit that were read so far. */
export const $audit = atom<Shown>({ filter: {} })

/**
 * Reads the first page; what was shown stays until then.
 * @param earlier the pages below which the next one is shown instead.
 */
export async function readAudit(filter: AuditFilter, earlier?: AuditPage): Promise<void> {
  const before = earlier?.next?.toString()
  $audit.set({ ...$audit.get(), filter, error: undefined })
  try {
    const page = await (await request(`GET /api/audit?${queryOf({ ...filter, before })}`)).json()
    const entries = [...(earlier?.entries ?? []), ...page.entries]
    // Another filter may have been chosen meanwhile.
    if ($audit.get().filter === filter) $audit.set({ filter, page: { ...page, entries } })
  } catch (error) {
    const latest = $audit.get()
    if (latest.filter !== filter) return
    if (latest.page === undefined) $audit.set({ filter, error })
    else tellFailedAct(t('The audit could not be loaded.'), error)
  }
}
