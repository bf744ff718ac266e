import { millisecondsInHour } from 'date-fns/constants'
import type { Examined, StoredCounts } from '#db/backup/copy.ts'
import { foreignSentence } from '#db/foreign-objects.ts'

/** What a failed drill says of the newest backup, by finding. */
export const findingTexts = {
  damaged: 'is damaged',
  'not a backup': 'is another file',
  altered: 'contains something that this site does not create',
  newer: 'was written by a newer version',
  forged: 'is not what the site sent',
  unproved: 'has no mark by which the site knows it',
  missing: 'is not the last one that was sent',
  'other counts': 'holds other responses than it was made with',
  'too old': 'is too old',
  'cannot be decrypted': 'cannot be decrypted',
  unreachable: 'cannot be reached',
  'none there': 'is missing',
}
export type Finding = 'fine' | keyof typeof findingTexts

/** The outcome of a restore drill; `text` says it in a sentence, with what to do. */
export type Drill = {
  finding: Finding
  text: string
  copy?: string | undefined
  /** When the backup was made, ISO 8601 in UTC. */
  at?: string | undefined
  responses?: number
}

/**
 * Whether the site made exactly this copy: name, time, counts and bytes. Without a key that cannot be known; a copy
 * without a mark is from one of the first versions, or was renamed to hide what it is.
 */
export type Proof = 'proved' | 'unproved' | 'unmarked' | 'forged'

/** What is known of a backup before it is opened. */
export type Known = {
  title: string
  isEncrypted?: true
  proof?: Proof
  moment?: Date | undefined
  counts?: StoredCounts | undefined
}

export const OTHER_ONE = 'Run `rsvp backup` for a new one, and find out who changes files there.'

export const UNPROVED =
  'Its origin could not be verified: that needs the key in the database that sent it, or the one beside the identity.'

export const UNMARKED = 'Its origin could not be verified: its name lacks the mark that the site gives every copy.'

type Bounds = { maximumAgeMs: number | undefined; now: Date }

export function judge(known: Known, examined: Examined, bounds: Bounds): Drill {
  const [finding, text] = verdict(known, examined, bounds)
  const found = examined.kind === 'whole' ? { responses: examined.responses } : {}
  return { copy: known.title, at: known.moment?.toISOString(), ...found, finding, text }
}

function verdict(
  { title, moment, counts, proof }: Known,
  examined: Examined,
  { maximumAgeMs, now }: Bounds,
): [Finding, text: string] {
  if (examined.kind === 'damaged') return ['damaged', `${title} is damaged (${examined.damage}). ${OTHER_ONE}`]
  if (examined.kind === 'foreign') return ['not a backup', `${title} is not a backup of this site. ${OTHER_ONE}`]
  if (examined.kind === 'altered') return ['altered', `${foreignSentence(title, examined.objects)} ${OTHER_ONE}`]
  if (proof === 'forged') {
    const other = 'its name, time or contents differ'
    return ['forged', `${title} is not what the site sent: ${other}. ${OTHER_ONE}`]
  }
  if (counts !== undefined && told(examined) !== told(counts))
    return ['other counts', `${title} holds ${told(examined)}, and was made with ${told(counts)}. ${OTHER_ONE}`]
  const age = moment === undefined ? undefined : now.getTime() - moment.getTime()
  if (age !== undefined && maximumAgeMs !== undefined && (age > maximumAgeMs || age < 0))
    return ['too old', `${title} ${ageText(age)}`]
  if (proof === 'unmarked') return ['unproved', `${title}: ${UNMARKED} ${OTHER_ONE}`]
  if (examined.isNewer) return ['newer', `${title} was written by a newer version. Update the site first.`]
  const compared = counts === undefined ? 'how many it was made with is not on record' : 'as many as it was made with'
  return ['fine', `${title} can be restored: it holds ${told(examined)}, ${compared}.${proofText(proof)}`]
}

function proofText(proof: Proof | undefined): string {
  if (proof === undefined) return ''
  return proof === 'proved' ? ' It is the one that the site has sent.' : ` ${UNPROVED}`
}

function told({ responses, rows, latest }: StoredCounts): string {
  return `${responses} responses, ${rows} with the deleted ones, the latest with the id ${latest}`
}

function ageText(age: number): string {
  if (age < 0) return 'is from the future, so its age is unknown. Check the clock, and run `rsvp backup`.'
  const hours = Math.floor(age / millisecondsInHour)
  const old = hours < 48 ? `${hours} hours` : `${Math.floor(hours / 24)} days`
  return `is too old: it was made ${old} ago. Run \`rsvp backup\`, and see why no newer one is there.`
}
