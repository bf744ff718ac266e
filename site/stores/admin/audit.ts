import { atom } from 'nanostores'
import type { AuditFilter, AuditPage } from '#db/audit/schema.ts'
import { request } from '#site/lib/request.ts'
import { t } from '#site/texts/texts.ts'
import { tellFailedAct } from './changeable.ts'
import { saveFile } from './stored-rsvps.ts'

type Shown = { filter: AuditFilter; page?: AuditPage; error?: unknown }

/** The pages of the audit that were read so far. */
export const $audit = atom<Shown>({ filter: {} })

/** Reads the first page; what was shown stays until then. */
export function readAudit(filter: AuditFilter): Promise<void> {
  const { page } = $audit.get()
  $audit.set({ filter, ...(page && { page }) })
  return read(filter, {}, (read) => read)
}

/** Reads the next page, and shows it below the others. */
export async function readEarlierAudit(): Promise<void> {
  const { filter, page } = $audit.get()
  if (page?.next == null) return
  await read(filter, { before: String(page.next) }, (read) => ({
    ...read,
    entries: [...page.entries, ...read.entries],
  }))
}

export async function downloadAudit(): Promise<void> {
  try {
    const query = queryOf($audit.get().filter)
    await saveFile(await request(`GET /api/audit/download?${query}`), 'audit.csv')
  } catch (error) {
    tellFailedAct(t('Failed to download CSV'), error)
  }
}

/** Few enough to look over. */
const PAGE = '20'

async function read(filter: AuditFilter, place: { before?: string }, shown: (page: AuditPage) => AuditPage) {
  try {
    const page = await (await request(`GET /api/audit?${queryOf({ ...filter, ...place, limit: PAGE })}`)).json()
    // Another filter may have been chosen meanwhile.
    if ($audit.get().filter === filter) $audit.set({ filter, page: shown(page) })
  } catch (error) {
    const latest = $audit.get()
    if (latest.filter !== filter) return
    if (latest.page === undefined) $audit.set({ filter, error })
    else tellFailedAct(t('The audit could not be loaded.'), error)
  }
}

function queryOf(values: Record<string, string | undefined>): string {
  return new URLSearchParams(Object.entries(values).filter((pair): pair is [string, string] => !!pair[1])).toString()
}
