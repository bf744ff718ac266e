import type { APIContext } from 'astro'
import { fieldError } from '#db/errors.ts'
import { isOpenMode } from '#db/operation.ts'
import { settingsChange } from '#db/settings/schema.ts'
import { inputOf } from './endpoint.ts'

/**
 * The change of the settings in the body. A public address is checked by a request to it.
 * @throws UserError 'invalid' for an address that does not lead here, or that the settings of the server give.
 */
export async function checkedSettings(context: APIContext): Promise<unknown> {
  const input = await inputOf(context)
  const { publicUrl } = settingsChange.safeParse(input).data ?? {}
  if (publicUrl === undefined) return input
  const { locals } = context
  if (locals.publicUrl.isGiven)
    throw fieldError('publicUrl', 'PUBLIC_URL in the settings of the server gives the address. Change it there.')
  // An open site must not be reached from elsewhere, and the next start would refuse it.
  if (isOpenMode(locals.call)) throw fieldError('publicUrl', 'Guard this site before people can reach it.')
  if (publicUrl !== null) await locals.publicUrl.assertReaches(publicUrl)
  return input
}
