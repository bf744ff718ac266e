import { millisecondsInHour } from 'date-fns/constants'
import type { Examined } from '#db/backup/copy.ts'
import { areEqual } from '#db/backup/names.ts'
import { foreignSentence } from '#db/foreign-objects.ts'
import type { StoredCounts } from '../copy.ts'

/** What can be found in a restore drill. */
export type Finding =
  | 'fine'
  | 'damaged'
  | 'not a backup'
  | 'altered'
  | 'newer'
  | 'forged'
  | 'unproved'
  | 'missing'
  | 'other counts'
  | 'too old'
  | 'cannot be decrypted'
  | 'unreachable'
  | 'none there'

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
 * Whether the site has made a copy as it is: its name, its time, its counts and its bytes. Without a key nothing tells
 * that; a copy without a mark may be one of the first versions, or one whose name was changed to hide what it is.
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

export const OTHER_ONE = 'Run `rsvp backup` for a new one, and see who changes files there.'

/** What cannot be known where there is no key. */
export const UNPROVED =
  'Who has made it could not be proved: that takes the key in the database that sent it or beside the identity.'

export const UNMARKED = 'Who has made it could not be proved: its name has no mark, which the site gives each copy.'

/** Judges a backup by what is in it, and by its age. */
export function judge(
  { title, moment, counts, proof }: Known,
  examined: Examined,
  { maximumAgeMs, now }: { maximumAgeMs: number | undefined; now: Date },
): Drill {
  const known = { copy: title, at: moment?.toISOString() }
  if (examined.kind === 'damaged') {
    return { ...known, finding: 'damaged', text: `${title} is damaged (${examined.damage}). ${OTHER_ONE}` }
  }
  if (examined.kind === 'foreign') {
    return { ...known, finding: 'not a backup', text: `${title} is not a backup of this site. ${OTHER_ONE}` }
  }
  if (examined.kind === 'altered') {
    return { ...known, finding: 'altered', text: `${foreignSentence(title, examined.objects)} ${OTHER_ONE}` }
  }
  const found = { ...known, responses: examined.responses }
  if (proof === 'forged') {
    const text = `${title} is not as the site has sent it: its name, its time or what is in it is another one. ${OTHER_ONE}`
    return { ...found, finding: 'forged', text }
  }
  if (counts !== undefined && !areEqual(examined, counts)) {
    const text = `${title} holds ${told(examined)}, and was made with ${told(counts)}. ${OTHER_ONE}`
    return { ...found, finding: 'other counts', text }
  }
  const age = moment === undefined ? undefined : now.getTime() - moment.getTime()
  if (age !== undefined && maximumAgeMs !== undefined && (age > maximumAgeMs || age < 0)) {
    return { ...found, finding: 'too old', text: `${title} ${ageText(age)}` }
  }
  if (proof === 'unmarked') return { ...found, finding: 'unproved', text: `${title}: ${UNMARKED} ${OTHER_ONE}` }
  if (examined.isNewer) {
    return { ...found, finding: 'newer', text: `${title} was written by a newer version. Update the site first.` }
  }
  const compared = counts === undefined ? 'how many it was made with is not on record' : 'as many as it was made with'
  return {
    ...found,
    finding: 'fine',
    text: `${title} can be restored: it holds ${told(examined)}, ${compared}.${proofText(proof)}`,
  }
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
