import { findSession } from '#db/access/operations.ts'
import { withDeadline } from '#db/storage/deadline.ts'
import { notAllowed } from './access.ts'
import type { Mode } from './mode.ts'
import { tokenIn } from './session-cookie.ts'

/**
 * Lets an upload in before its body is read: megabytes in memory are for administrators only. The call itself is checked
 * once more, as all calls are.
 * @throws UserError 'unauthenticated' for all others.
 */
export async function admitUpload(cookies: string | undefined, origin: string, mode: Mode): Promise<void> {
  await withDeadline(async () => {
    if (await mode.isStillOpen()) return
    const token = tokenIn(cookies, origin)
    const session = token && (await findSession(token, { now: new Date(), administrator: false, actor: 'visitor' }))
    if (!session) throw notAllowed()
  })
}
