import { millisecondsInMinute } from 'date-fns/constants'
import { levelsOfNetwork, takeFromEach, tooMany } from '#db/access/allowance.ts'
import type { Allowance } from '#db/config/config.ts'
import { UserError } from '#db/errors.ts'
import { queueMail } from '#db/mail/queue.ts'
import { operation } from '#db/operation.ts'
import { readKeyedHash } from '#db/secret/keyed-hash.ts'
import { transaction } from '#db/storage/client.ts'
import { daysBefore } from '#db/values/time-zone.ts'
import { linkWish } from './schema.ts'

/** How many links one network may ask for: a household with several addresses, and some that were mistyped. */
const wishes: Allowance = { atOnce: 5, everyMs: millisecondsInMinute }

/**
 * Queues a message with the private links of the RSVPs of an address. Only the message, once it is made, finds out whether
 * there are any: the reply and its time are the same for every address. Once more within a minute is the same message.
 * @throws UserError 'not-found' where no mail is sent, 'too-many' after too many from the caller's network.
 */
export const sendLink = operation(linkWish, async ({ email }, { now, network, language, sendsMail }): Promise<void> => {
  if (sendsMail !== true) throw new UserError('no-mail')
  const hash = await readKeyedHash()
  const refused = await transaction(async (tx) => {
    const levels = network === undefined ? [] : levelsOfNetwork('send link', network, wishes)
    const empty = await takeFromEach(tx, levels, now)
    if (empty !== undefined) return empty
    const key = `link ${hash('address', email.toLowerCase())} ${Math.floor(now.getTime() / millisecondsInMinute)}`
    const times = { dueAt: now.toISOString(), endsAt: daysBefore(now, -2) }
    await queueMail(tx, [{ key, kind: 'link', address: email, language, ...times }], now)
    return undefined
  })
  if (refused !== undefined) throw tooMany('too-many-links', refused.wait)
})
