import type { APIContext } from 'astro'
import { getAccount } from '#db/access/account.ts'
import { isOpenMode } from '#db/call.ts'
import { type PreparedPicture, preparePicture } from '#db/church/prepare-picture.ts'
import { accountChange } from '#db/values/access.ts'
import { UserError } from '#db/values/errors.ts'
import { settingsChange } from '#db/values/settings.ts'
import { assertProven } from '#site/server/access/access.ts'
import { refusal } from '#site/server/access/guard.ts'
import { inputOf } from './endpoint.ts'

/**
 * The change of the settings in the body. A public address is checked by a request to it; it needs a proof, and so does
 * how long anything is kept.
 * @throws UserError 'invalid' for an address that does not lead here, that the settings of the server give, or with which
 * the caller could no longer sign in, and as `assertProven` does.
 */
export async function checkedSettings(context: APIContext): Promise<unknown> {
  const input = await inputOf(context)
  const { publicUrl, retentionDays, prayerDays } = settingsChange.safeParse(input).data ?? {}
  const { locals } = context
  // What visitors see of names is undone by another click; this is not.
  if (publicUrl !== undefined || retentionDays !== undefined || prayerDays !== undefined) assertProven(locals.call)
  if (publicUrl === undefined) return input
  if (locals.publicUrl.isGiven) throw new UserError('address-given').at('publicUrl')
  // An open site must not be reached from elsewhere, and the next start would refuse it.
  if (isOpenMode(locals.call)) throw new UserError('address-open').at('publicUrl')
  if (publicUrl === locals.publicUrl.current()) return input
  if (!(await getAccount(locals.call)).hasPassword) throw new UserError('address-of-passkeys').at('publicUrl')
  if (publicUrl !== null) await locals.publicUrl.assertReaches(publicUrl)
  else if (isRefusedWithout(context)) throw new UserError('address-needed').at('publicUrl')
  return input
}

/** A change of the own account. With what someone signs in is changed with a proof; what comes by mail needs none. */
export async function checkedAccount(context: APIContext): Promise<unknown> {
  const input = await inputOf(context)
  const { mail: _, ...change } = accountChange.safeParse(input).data ?? {}
  if (Object.keys(change).length > 0) assertProven(context.locals.call)
  return input
}

/**
 * The picture in the body, prepared. Its format is read from its bytes, not from the type that the request names.
 * @throws UserError 'unsupported-media-type', and as `preparePicture`.
 */
export async function uploadedPicture({ request }: APIContext): Promise<PreparedPicture> {
  if (!request.headers.get('content-type')?.trim().toLowerCase().startsWith('image/')) {
    const todo = 'Send the picture as it is, with its type, e.g. Content-Type: image/jpeg.'
    throw new UserError('unsupported-media-type', todo)
  }
  return preparePicture(new Uint8Array(await request.arrayBuffer()))
}

/** Whether this very request would be refused without a public address. */
function isRefusedWithout({ request, url }: APIContext): boolean {
  const { method } = request
  const sent = { method, url: url.pathname, headers: Object.fromEntries(request.headers), rawHeaders: [] }
  return refusal({ ...sent, httpVersion: '1.1' }, { onlyThisComputer: false, publicUrl: undefined }) !== undefined
}
