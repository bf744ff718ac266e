import { stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { drill, type Examinable } from '#db/backup/copies/drill.ts'
import { findCountsMade, findLastSentName, recordDrill } from '#db/backup/copies/history.ts'
import { findProofKeys } from '#db/backup/copies/proof.ts'
import { maximumAge } from '#db/backup/due.ts'
import { copyPathFor } from '#db/backup/safeguards.ts'
import { findDoubt } from '#db/clock/clock.ts'
import type { Config } from '#db/config/config.ts'
import { removeAbandoned } from '#db/process/files.ts'
import type { Context } from '../../context.ts'
import { findCopy } from '../../database/find-copy.ts'
import { opens } from '../../database/opens.ts'
import { surroundingsOf } from '../../database/surroundings.ts'
import { CommandError, exitCodes } from '../../exit-code.ts'
import { printJson, say } from '../../output/output.ts'

type Options = { maxAge?: number; json?: true }

const HOUR_MS = 60 * 60 * 1000

/** Restores a backup beside the database, and says whether that works. The drill of the newest one goes on record. */
export async function run(given: string | undefined, { maxAge, json }: Options, context: Context): Promise<void> {
  const config = context.readConfig()
  const { io, call } = context
  const chosen = given === undefined ? undefined : await choose(given, config, context)
  const isOpen = await opens(context)
  // The age of one that was chosen is known to whoever chose it, and a doubtful clock tells no age.
  const usualMs = given === undefined ? maximumAge(config.backupFolder) : undefined
  const isDoubtful = isOpen && (await findDoubt(call)) !== undefined
  const askedMs = maxAge === undefined ? usualMs : maxAge * HOUR_MS
  const beside = await copyPathFor(config.databaseUrl)
  await removeAbandoned(dirname(beside))
  const findCounts = async (file: string) => (isOpen ? findCountsMade(file) : undefined)
  const maximumAgeMs = isDoubtful ? undefined : askedMs
  const proof = {
    proofKeys: await findProofKeys(config.copies, isOpen),
    lastSent: isOpen ? await findLastSentName(config.copies) : undefined,
  }
  const request = { ...surroundingsOf(context), ...proof, chosen, maximumAgeMs, beside, now: call.now, findCounts }
  const found = await drill(request, config)
  if (isOpen && given === undefined) await recordDrill(found, config, call)
  if (json) await printJson(found, io)
  if (found.finding === 'altered') throw new CommandError(exitCodes.configuration, found.text)
  if (found.finding !== 'fine') throw new CommandError(exitCodes.failed, found.text)
  if (isDoubtful && !context.quiet) say('The clock is doubtful, so the age was not looked at.', io)
  // Cron mails whatever a command prints.
  if (!json && !context.quiet && io.stderr.isTTY) say(found.text, io)
}

async function choose(given: string, { copies }: Config, context: Context): Promise<Examinable> {
  const copy = await findCopy(given, copies, context)
  if (copy !== undefined) return copy
  const backup = resolve(context.io.cwd(), given)
  if (await stat(backup).catch(() => undefined)) return { backup }
  throw new CommandError(exitCodes.notFound, `There is no such file: ${backup}`)
}
