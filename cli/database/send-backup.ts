import { type SentCopy, sendCopy } from '#db/backup/copies/send.ts'
import type { Context } from '../context.ts'
import { counted } from '../output/counted.ts'
import { say } from '../output/output.ts'
import { explainFileError } from '../output/write-file.ts'
import { surroundingsOf } from './surroundings.ts'

/** Sends a copy of a backup to the other place, and says so at a terminal. */
export async function sendBackup(file: string, context: Context): Promise<SentCopy> {
  const { copies } = context.readConfig()
  const sent = await sendCopy(file, copies, context.call, surroundingsOf(context)).catch((error) => {
    throw explainFileError(error, file)
  })
  if (!context.quiet && context.io.stderr.isTTY) {
    say(`Sent an encrypted copy to ${sent.place}/${sent.name}`, context.io)
    if (sent.removed.length > 0)
      say(`Removed ${counted(sent.removed.length, 'older copy', 'older copies')} there.`, context.io)
  }
  return sent
}
