import { rsvpCommand } from '#db/config/project-root.ts'
import { operationWithoutInput } from '#db/operation.ts'
import { getLastDrills, type PastDrill } from './history.ts'

/** What a failed drill says of the newest backup, by how its subject in the audit begins. */
const meanings = {
  damaged: 'is damaged',
  'not a backup': 'is another file',
  forged: 'is not as the site has sent it',
  missing: 'is not the last one that was sent',
  altered: 'holds what this site does not make',
  'other counts': 'holds other responses than it was made with',
  newer: 'was written by a newer version',
  'too old': 'is too old',
  'cannot be decrypted': 'cannot be decrypted',
  unreachable: 'cannot be reached',
  'none there': 'is missing',
}

/** Why the newest backup could not be restored, as a sentence that says what to do. No path is in it. */
export const findDrillTrouble = operationWithoutInput(async (): Promise<string | undefined> => {
  const { last } = await getLastDrills()
  return last === undefined || last.passed ? undefined : drillSentence(last)
})

export function drillSentence({ at, subject }: PastDrill): string {
  const [, meaning] = Object.entries(meanings).find(([finding]) => subject.startsWith(`${finding}: `)) ?? []
  const day = at.slice(0, 10)
  return `The restore drill of ${day} failed: the newest backup ${meaning}. Run \`${rsvpCommand} backup verify\`, which says what to do.`
}
