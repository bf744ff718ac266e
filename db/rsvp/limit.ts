import { takeFrom } from '../access/allowance.ts'
import { UserError } from '../errors.ts'
import type { Call } from '../operation.ts'

/** @throws UserError 'too-many' when the caller's network has sent as many answers as it may. */
export async function refuseTooMany({ network, allowance, now }: Call): Promise<void> {
  if (network === undefined || allowance === undefined) return
  const wait = await takeFrom(`rsvp ${network}`, allowance, now)
  if (wait === 0) return
  const seconds = Math.ceil(wait / 1000)
  throw new UserError(
    'too-many',
    `Too many answers came from your network. Wait ${seconds} ${seconds === 1 ? 'second' : 'seconds'}, then send yours again.`,
    [],
    seconds,
  )
}
