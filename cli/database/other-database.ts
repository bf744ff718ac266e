import { readFile } from 'node:fs/promises'
import { parseEnv } from 'node:util'
import { readConfig } from '#db/config/config.ts'
import { isNew, placeOf } from '#db/config/database-url.ts'
import { UserError } from '#db/errors.ts'
import type { Context } from '../context.ts'
import { CommandError, exitCodes } from '../exit-code.ts'
import { envFile } from '../init/env-file.ts'
import { say } from '../output/output.ts'
import { confirm } from '../questions/confirm.ts'

/**
 * A site that is told to use another database starts without the responses in its current one: that needs a confirmation.
 * @throws CommandError 'failed' after a no, or without a terminal where it is not forced.
 */
export async function agreeToOtherDatabase(
  url: string | undefined,
  { yes, force }: { yes?: true; force?: true },
  context: Context,
): Promise<void> {
  const used = await databaseInUse()
  if (url === undefined || force || used === undefined) return
  const { databaseUrl } = readConfig({ DATABASE_URL: url })
  if (used === databaseUrl) return
  const sentence = `The site uses ${placeOf(used)}: with another database it would start without the responses there.`
  if (yes) {
    throw new CommandError(exitCodes.failed, `${sentence} Add --force to use ${placeOf(databaseUrl)} all the same.`)
  }
  say(sentence, context.io)
  await confirm(`Use ${placeOf(databaseUrl)} from now on?`, context)
}

/** The database that .env names, or else the default one if it exists. */
async function databaseInUse(): Promise<string | undefined> {
  const named = parseEnv(await readFile(envFile, 'utf8').catch(() => '')).DATABASE_URL
  try {
    const { databaseUrl } = readConfig(named ? { DATABASE_URL: named } : {})
    return named || !isNew(databaseUrl) ? databaseUrl : undefined
  } catch (error) {
    if (error instanceof UserError) return undefined
    throw error
  }
}
