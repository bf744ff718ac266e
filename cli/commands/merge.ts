import { UserError } from '#db/errors.ts'
import { listDuplicates, mergeRsvps } from '#db/rsvp/merge.ts'
import type { Duplicates } from '#db/rsvp/schema.ts'
import type { Context } from '../context.ts'
import { failure, usageError } from '../exit-code.ts'
import { counted, hasTerminal, printJson, printRows, say } from '../output/output.ts'
import { confirm } from '../questions.ts'
import { withDateOfWeek } from '../responses/read-responses.ts'
import { findAddress } from './admins.ts'

type Options = { week?: string; yes?: true; json?: true }

/** Shows who sent several responses for one service, and merges them once confirmed. */
export async function merge(given: Options, context: Context): Promise<void> {
  const { call, quiet, io } = context
  const { week, yes, json } = await withDateOfWeek(given, context)
  const { duplicates } = await listDuplicates({ week }, call)
  if (!json) {
    const rows = duplicates.map(({ serviceDate, name, id, superseded }) => [
      serviceDate,
      name,
      id,
      superseded.join(' '),
    ])
    await printRows(rows, io)
  }
  const isAsked = !yes && !json && hasTerminal(io)
  if (duplicates.length > 0 && isAsked) {
    const count = duplicates.flatMap(({ superseded }) => superseded).length
    const people = counted(duplicates.length, 'person', 'people')
    await confirm(`Merge ${counted(count, 'response')} of ${people} into the newest of each?`, context)
  }
  if (duplicates.length === 0 || !(yes || isAsked)) {
    if (json) await printJson({ duplicates, merged: [], left: [], links: [] }, io)
    else if (!quiet && duplicates.length === 0) say('There are no duplicates.', io)
    if (duplicates.length > 0) throw usageError('Nothing was changed: add --yes to merge.')
    return
  }
  const { merged, left, links } = await mergeEach(duplicates, context)
  if (json) await printJson({ duplicates, merged, left, links }, io)
  else {
    if (!quiet) say(`Merged ${counted(merged.length, 'response')} into the newest.`, io)
    await printRows(
      links.map(({ id, link }) => [id, link]),
      io,
    )
    if (links.length > 0 && !quiet) say(HAND_OVER, io)
  }
  context.signal.throwIfAborted()
  if (left.length === 0) return
  const sentence = `Not merged: ${left.join(', ')}. They were merged or changed meanwhile, or have too many family members or too long messages together. Run this again, or merge them in the administration.`
  throw failure(sentence)
}

const HAND_OVER =
  'Earlier private links have ended: anyone who knows a name and an address can send an RSVP in that name, and would now see all of this. Give each person the new one; it cannot be shown again.'

/**
 * Merges what was shown, except for people who have sent or changed a response since. `links` are private links to hand
 * over, because those from before have ended and no mail is sent.
 */
async function mergeEach(duplicates: Duplicates[], context: Context) {
  const { signal } = context
  const call = { ...context.call, sendsMail: context.readConfig().mail !== undefined }
  const merged: number[] = []
  const left: number[] = []
  const links: { id: number; link: string }[] = []
  for (const { id } of duplicates) {
    if (signal.aborted) left.push(id)
    else
      try {
        const result = await mergeRsvps({ id: String(id) }, call)
        merged.push(...result.merged)
        if (result.linkSecret === undefined) continue
        const { address: link } = await findAddress(`/answer?key=${result.linkSecret}`, context)
        links.push({ id, link })
      } catch (error) {
        if (!(error instanceof UserError && /^(changed-meanwhile|not-found|invalid)$/.test(error.code))) throw error
        left.push(id)
      }
  }
  return { merged, left, links }
}
