import { millisecondsInMinute } from 'date-fns/constants'
import { levelsOfNetwork, takeFromEach, tooMany } from '#db/access/allowance.ts'
import type { Allowance } from '#db/config/setting-values.ts'
import { UserError } from '#db/errors.ts'
import { levelOfMailbox, queueLinksLater } from '#db/mail/confirm.ts'
import { queueMail } from '#db/mail/queue.ts'
import { hashOfAddress } from '#db/mail/stops.ts'
import { operation } from '#db/operation.ts'
import { readKeyedHash } from '#db/secret/keyed-hash.ts'
import { transaction } from '#db/storage/client.ts'
import { daysBefore } from '#db/values/time-zone.ts'
import { linkWish } from './schema.ts'

/** How many links one network may ask for: a household with several addresses, and some that were mistyped. */
const wishes: Allowance = { atOnce: 5, everyMs: millisecondsInMinute }

/**
 * Queues a message with the private links of the RSVPs of an address, for later if its mailbox has had enough. Only the
 * message, once it is made, finds out whether there are any: the reply and its time are the same for every address. Once
 * more within a minute is the same message.
 * @throws UserError 'not-found' where no mail is sent, 'too-many' after too many from the caller's network.
 */
export const sendLink = operation(linkWish, async ({ email }, { now, network, language, sendsMail }): Promise<void> => {
  if (sendsMail !== true)
    throw new UserError('not-found', 'This site sends no email. Tell the church office what you would like to change.')
  const hash = await readKeyedHash()
  const mailbox = levelOfMailbox(email, hash)
  const key = `link ${hashOfAddress(email, hash)} ${Math.floor(now.getTime() / millisecondsInMinute)}`
  const times = { dueAt: now.toISOString(), endsAt: daysBefore(now, -1) }
  const refused = await transaction(async (tx) => {
    const levels = network === undefined ? [] : levelsOfNetwork('send link', network, wishes)
    const empty = await takeFromEach(tx, [...levels, mailbox], now)
    const to = { address: email, language }
    if (empty === undefined) await queueMail(tx, [{ key, kind: 'link', ...to, ...times }], now)
    if (empty?.name === mailbox.name) await queueLinksLater(tx, to, empty.wait, now, hash)
    return empty
  })
  // The reply does not tell how often an address was entered.
  if (refused !== undefined && refused.name !== mailbox.name)
    throw tooMany(
      refused.wait,
      (time) => `Too many links were asked for in your network. Wait ${time}, then ask again.`,
    )
})
