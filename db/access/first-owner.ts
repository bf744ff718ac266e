import * as z from 'zod/mini'
import { audit } from '#db/audit/operations.ts'
import { rsvpCommand } from '#db/config/places.ts'
import { UserError } from '#db/errors.ts'
import { isOpenMode, operation } from '#db/operation.ts'
import { transaction } from '#db/storage/client.ts'
import { isPresent, storeAdministrator } from './administrators.ts'
import { checkCredential, storeCredential } from './credential.ts'
import { firstOwner } from './schema.ts'
import { fromBrowser, openSession, type SignedIn } from './sign-in.ts'
import { administrators } from './table.ts'

const command = `\`${rsvpCommand} password\``
/** What someone at another computer reads. */
export const NOT_HERE = `Guard this site on the computer that it runs on, or with ${command} there.`

/**
 * Guards an open site: stores its first owner, and signs them in.
 * @throws UserError 'conflict' once the site is guarded, 'forbidden' from another computer, and as `checkCredential` does.
 */
export const guardSite = operation(
  z.extend(firstOwner, {
    ...fromBrowser,
    /** Whether the caller sits at the computer on which the site runs. */
    isHere: z.boolean(),
  }),
  async ({ name, email, isHere, ceremony, token, device, browser, ...given }, call) => {
    if (!isOpenMode(call)) throw alreadyGuarded()
    if (!isHere) throw new UserError('forbidden', NOT_HERE)
    const credential = await checkCredential(given, ceremony, call)
    return transaction(async (tx): Promise<SignedIn> => {
      // While the password was hashed, someone else may have guarded it.
      if ((await tx.$count(administrators, isPresent)) > 0) throw alreadyGuarded()
      const id = await storeAdministrator(tx, { name, email, role: 'owner' }, call)
      await storeCredential(tx, id, credential)
      await audit(tx, { ...call, administrator: { id } }, 'site guarded', `administrator ${id}`)
      return openSession(tx, id, { token, device, browser }, call)
    })
  },
)

function alreadyGuarded(): UserError {
  return new UserError('already-guarded')
}
