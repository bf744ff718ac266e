import { forgetRemembered, lineOf, type Remembered, readRemembered, writeRemembered } from '#site/lib/remembered.ts'
import { ResponseError, request } from '#site/lib/request.ts'
import { t } from '#site/texts/texts.ts'

/**
 * Has this device remember the RSVP with this key, instead of the one before.
 * @returns whether it does: the site may be out of reach, or the storage of the browser full.
 */
export async function rememberRsvp(key: string, saysDay: boolean): Promise<boolean> {
  const remembered = await ask(key, saysDay).catch(() => undefined)
  return remembered !== undefined && writeRemembered(remembered)
}

/** Brings what is remembered up to date: it may have been changed on another device, or be erased. */
export async function refreshRemembered(): Promise<void> {
  const known = readRemembered()
  if (known === undefined) return
  const current = await ask(known.key, known.saysDay).catch((error) => (isDead(error) ? undefined : known))
  // Another tab may have forgotten or replaced it meanwhile.
  if (readRemembered()?.key !== known.key) return
  if (current === undefined) forgetRemembered()
  else if (JSON.stringify(current) !== JSON.stringify(known)) writeRemembered(current)
}

async function ask(key: string, saysDay: boolean): Promise<Remembered> {
  const rsvp = await (await request('GET /api/answer', { headers: { 'Link-Key': key } })).json()
  const act = rsvp.withdrawnAt === null ? t('Change') : t('Take that back')
  return { key, line: lineOf(rsvp, saysDay), act, saysDay, endsAt: rsvp.endsAt }
}

/** The site itself says that the link does not work, or works no more. */
function isDead(error: unknown): boolean {
  return error instanceof ResponseError && error.detail !== undefined && [404, 410].includes(error.status)
}
