import { readFile } from 'node:fs/promises'
import { parseEnv } from 'node:util'
import { readConfig } from '#db/config/config.ts'
import { findSite, isNew, placeOf } from '#db/config/places.ts'
import { UserError } from '#db/errors.ts'
import type { Context } from '../context.ts'
import { CommandError, exitCodes } from '../exit-code.ts'
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
  const site = { RSVP_SITE: context.io.env.RSVP_SITE }
  const used = await databaseInUse(site)
  if (url === undefined || force || used === undefined) return
  const { databaseUrl } = readConfig({ ...site, DATABASE_URL: url })
  if (used === databaseUrl) return
  const sentence = `The site uses ${placeOf(used)}: with another database it would start without the responses there.`
  if (yes) {
    throw new CommandError(exitCodes.failed, `${sentence} Add --force to use ${placeOf(databaseUrl)} all the same.`)
  }
  say(sentence, context.io)
  await confirm(`Use ${placeOf(databaseUrl)} from now on?`, context)
}

/** The database that .env names, or else the default one if it exists. */
async function databaseInUse(site: { RSVP_SITE: string | undefined }): Promise<string | undefined> {
  const named = parseEnv(await readFile(findSite(site).envFile, 'utf8').catch(() => '')).DATABASE_URL
  try {
    const { databaseUrl } = readConfig(named ? { ...site, DATABASE_URL: named } : site)
    return named || !isNew(databaseUrl) ? databaseUrl : undefined
  } catch (error) {
    if (error instanceof UserError) return undefined
    throw error
  }
}
