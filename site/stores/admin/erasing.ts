import { request } from '#site/lib/request.ts'
import { plural, t } from '#site/texts/texts.ts'
import { attempt, type Refuse } from './changeable.ts'
import { withProof } from './proof.ts'
import { reloadWithToast } from './stored-rsvps.ts'

/** How many responses were sent with an address, the deleted ones included; undefined if that is not known. */
export function countRsvpsOf(email: string, refuse: Refuse): Promise<number | undefined> {
  const count = async () => (await (await request('POST /api/rsvps/erase/count', { body: { email } })).json()).count
  return attempt(count, { failure: t('The responses could not be counted'), refuse })
}

/** Erases them for good, then reloads the page, which may show some of them. */
export function eraseRsvpsOf(email: string): Promise<unknown> {
  const erase = async () => {
    const reply = await withProof(() => request('POST /api/rsvps/erase', { body: { email } }))
    const { erased } = await reply.json()
    const title = plural(erased, 'Erased {count} response for good', 'Erased {count} responses for good')
    reloadWithToast({ title, description: t('Older backups may still hold them.') }, '#erasing')
  }
  return attempt(erase, { failure: t('The responses could not be erased') })
}
