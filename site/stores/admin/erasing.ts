import { ResponseError, request } from '#site/lib/request.ts'
import { said } from '#site/texts/said.ts'
import { plural, t } from '#site/texts/texts.ts'
import { tellFailedAct } from './changeable.ts'
import { withProof } from './proof.ts'
import { reloadWithToast } from './stored-rsvps.ts'

/**
 * How many responses were sent with an address, the deleted ones included; undefined if that is not known.
 * @param refuse says beside the field what is wrong with the address; any other failure is a notice.
 */
export async function countRsvpsOf(email: string, refuse: (reason: string) => void): Promise<number | undefined> {
  try {
    return (await (await request('POST /api/rsvps/erase/count', { body: { email } })).json()).count
  } catch (error) {
    const [refused] = error instanceof ResponseError ? error.fields : []
    if (refused?.path === 'email') refuse(said(refused.message))
    else tellFailedAct(t('The responses could not be counted'), error)
    return undefined
  }
}

/** Erases them for good, then reloads the page, which may show some of them. */
export async function eraseRsvpsOf(email: string): Promise<void> {
  try {
    const reply = await withProof(() => request('POST /api/rsvps/erase', { body: { email } }))
    const { erased } = await reply.json()
    const title = plural(erased, 'Erased {count} response for good', 'Erased {count} responses for good')
    reloadWithToast({ title, description: t('Older backups may still hold them.') }, '#erasing')
  } catch (error) {
    tellFailedAct(t('The responses could not be erased'), error)
  }
}
