import type { APIContext } from 'astro'
import { getAccount } from '#db/access/account.ts'
import { isOpenMode } from '#db/call.ts'
import { getSettingsAndOld } from '#db/rsvp/purge.ts'
import { changeSettings } from '#db/settings.ts'
import { UserError } from '#db/values/errors.ts'
import { settingsChange } from '#db/values/settings.ts'
import { assertProven } from '#site/server/access/access.ts'
import { refusal } from '#site/server/access/guard.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'

export const GET = endpoint('GET /api/settings', getSettingsAndOld)

export const PATCH = endpoint('PATCH /api/settings', async (input, call, context) => {
  const { publicUrl, retentionDays, prayerDays } = settingsChange.safeParse(input).data ?? {}
  // Visible names can be hidden again with a click, so that change needs no proof. These changes do.
  if (publicUrl !== undefined || retentionDays !== undefined || prayerDays !== undefined) assertProven(call)
  if (publicUrl !== undefined) await assertUsable(publicUrl, context)
  return changeSettings(input, call)
})

/**
 * Checks a new public address by a request to it.
 * @throws UserError 'invalid' if the address does not lead to this site, if PUBLIC_URL is set, or if the caller could no
 * longer sign in.
 */
async function assertUsable(publicUrl: string | null, context: APIContext): Promise<void> {
  const { call, publicUrl: known } = context.locals
  if (known.isGiven) throw new UserError('address-given').at('publicUrl')
  // An open site must not be reached from elsewhere, and the next start would refuse it.
  if (isOpenMode(call)) throw new UserError('address-open').at('publicUrl')
  if (publicUrl === known.current()) return
  if (!(await getAccount(call)).hasPassword) throw new UserError('address-of-passkeys').at('publicUrl')
  if (publicUrl !== null) await known.assertReaches(publicUrl)
  else if (isRefusedWithout(context)) throw new UserError('address-needed').at('publicUrl')
}

/** Whether the guard would refuse the request at hand if the site had no public address. */
function isRefusedWithout({ request, url }: APIContext): boolean {
  const { method } = request
  const sent = { method, url: url.pathname, headers: Object.fromEntries(request.headers), rawHeaders: [] }
  return refusal({ ...sent, httpVersion: '1.1' }, { onlyThisComputer: false, publicUrl: undefined }) !== undefined
}
