import type { APIContext } from 'astro'
import { UserError } from '#db/errors.ts'
import { changeTurnout } from '#db/turnout/operations.ts'
import { problemOf } from '#site/server/problem.ts'

/** A number that could not be stored: as it was typed, and why. */
export type RefusedTurnout = { typed: string; message: string; status: number }

/** Digits in groups of three, e.g. `1,200`. */
const GROUPS = /^\d{1,3}(?:[\s.,'’]\d{3})+$/

/**
 * Stores what the form says of how many people came, removes it, or skips it where there is none. The form is posted by
 * the browser itself, so that it works without JavaScript.
 * @returns why not; undefined where that worked.
 */
export async function storeTurnout({
  request,
  locals,
}: Pick<APIContext, 'request' | 'locals'>): Promise<RefusedTurnout | undefined> {
  const fields = new URLSearchParams(await request.text())
  const typed = (fields.get('turnout') ?? '').slice(0, 20)
  const turnout = fields.get('action') === 'remove' ? null : numberIn(typed.trim())
  try {
    await changeTurnout({ date: fields.get('date') ?? '', turnout }, locals.call)
    return undefined
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return { typed, message: error.fields[0]?.message ?? error.message, status: problemOf(error).status }
  }
}

/** NaN where it is none, which the operation refuses. */
function numberIn(typed: string): number {
  if (typed === '') return Number.NaN
  return Number(GROUPS.test(typed) ? typed.replace(/\D/g, '') : typed)
}
