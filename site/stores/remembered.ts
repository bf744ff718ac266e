import type { OwnRevision } from '#db/private-link/schema.ts'
import { forgetRemembered, lineOf, type Remembered, readRemembered, writeRemembered } from '#site/lib/remembered.ts'
import { ResponseError, request } from '#site/lib/request.ts'
import { t } from '#site/texts/texts.ts'

type OwnRsvp = OwnRevision['rsvp']

/**
 * Has this device remember the RSVP with this key, instead of the one before.
 * @returns whether it does: the site may be out of reach, or the storage of the browser full.
 */
export async function rememberRsvp(key: string, saysDay: boolean): Promise<boolean> {
  const rsvp = await readOwnRsvp(key).catch(() => null)
  return rsvp !== null && writeRemembered(rememberedOf(rsvp, key, saysDay))
}

/** Brings what is remembered up to date: it may have been changed on another device, or be erased. */
export async function refreshRemembered(): Promise<void> {
  const known = readRemembered()
  if (known === undefined) return
  const rsvp = await readOwnRsvp(known.key).catch(() => undefined)
  // Another tab may have forgotten or replaced it meanwhile.
  if (rsvp === undefined || readRemembered()?.key !== known.key) return
  const current = rsvp && rememberedOf(rsvp, known.key, known.saysDay)
  if (current === null) forgetRemembered()
  else if (JSON.stringify(current) !== JSON.stringify(known)) writeRemembered(current)
}

/** The RSVP of a private link; null where the site itself says that the link does not work, or works no more. */
export async function readOwnRsvp(key: string): Promise<OwnRsvp | null> {
  try {
    return await (await request('GET /api/answer', { headers: { 'Link-Key': key } })).json()
  } catch (error) {
    if (error instanceof ResponseError && error.detail && [404, 410].includes(error.status)) return null
    throw error
  }
}

function rememberedOf(rsvp: OwnRsvp, key: string, saysDay: boolean): Remembered {
  const act = rsvp.withdrawnAt === null ? t('Change') : t('Take that back')
  return { key, line: lineOf(rsvp, saysDay), act, saysDay, endsAt: rsvp.endsAt }
}
