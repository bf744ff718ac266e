import type { Io } from '../../io.ts'
import { say } from '../../output/output.ts'
import type { Situation } from './situation.ts'

/** Names the sites that were left as they are, because they do not run. */
export function sayStopped({ stopped }: Situation, io: Io): void {
  if (stopped.length === 0) return
  const start = stopped.map((site) => `\`rsvp service install --site ${site}\``).join(', ')
  say(`Stopped as before: ${stopped.join(', ')}. ${start} starts with this release.`, io)
}
