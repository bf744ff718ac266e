import { addDays } from 'date-fns/addDays'
import { millisecondsInMinute } from 'date-fns/constants'
import { levelsOfNetwork, takeFromEach, tooMany } from '#db/access/allowance.ts'
import type { Allowance } from '#db/config/setting-values.ts'
import { UserError } from '#db/errors.ts'
import { queueMail } from '#db/mail/queue.ts'
import { operation } from '#db/operation.ts'
import { readKeyedHash } from '#db/secret/keyed-hash.ts'
import { transaction } from '#db/storage/client.ts'
import { linkWish } from './schema.ts'

/** How many links one network may ask for: a household with several addresses, and some that were mistyped. */
const wishes: Allowance = { atOnce: 5, everyMs: millisecondsInMinute }

/**
 * Queues a message with the private links of the RSVPs of an address. Only the message, once it is made, finds out
 * whether there are any: the reply and its time are the same for every address. Once more within a minute is the same
 * message.
 * @throws UserError 'not-found' where no mail is sent, 'too-many' after too many from the caller's network.
 */
export const sendLink = operation(linkWish, async ({ email }, { now, network, language, sendsMail }): Promise<void> => {
  if (sendsMail !== true)
    throw new UserError('not-found', 'This site sends no email. Tell the church office what you would like to change.')
  const hash = await readKeyedHash()
  const minute = Math.floor(now.getTime() / millisecondsInMinute)
  const key = `link ${hash('sent link', `${minute} ${email.toLowerCase()}`)}`
  const mail = { key, kind: 'link' as const, address: email, language }
  const times = { dueAt: now.toISOString(), endsAt: addDays(now, 1).toISOString() }
  const empty = await transaction(async (tx) => {
    const levels = network === undefined ? [] : levelsOfNetwork('send link', network, wishes)
    const refused = await takeFromEach(tx, levels, now)
    if (refused === undefined) await queueMail(tx, [{ ...mail, ...times }], now)
    return refused
  })
  if (empty !== undefined)
    throw tooMany(empty.wait, (time) => `Too many links were asked for in your network. Wait ${time}, then ask again.`)
})
