import { join } from 'node:path'
import { CommandError, exitCodes } from '../../exit-code.ts'
import { program } from '../layout.ts'
import type { Release } from '../release.ts'
import { commandOf } from '../site-command.ts'
import { type Saved, tryOn } from './trial.ts'

/**
 * Starts a release once on a copy of the database of a site that runs as a service.
 * @throws CommandError 'failed' that says what went wrong.
 */
export async function tryRelease(site: string, release: Release, saved: Saved): Promise<void> {
  const command = await commandOf(site, release)
  const database = `the database of ${site}`
  await tryOn({ version: release.version, command, database, place: trialFolder(site) }, saved).catch((error) => {
    if (!(error instanceof CommandError)) throw error
    throw new CommandError(exitCodes.failed, `${error.message} It was not put into use, and nothing was changed.`)
  })
}

/** In a folder of root: the account of a site cannot put anything else in its place. */
export function trialFolder(site: string): string {
  return join(program.trial, site)
}
