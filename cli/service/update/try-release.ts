import { join } from 'node:path'
import { CommandError, exitCodes } from '../../exit-code.ts'
import { layoutOf } from '../layout.ts'
import type { Release } from '../release.ts'
import { commandOf } from '../site-command.ts'
import { accountIds } from '../system.ts'
import { type Saved, tryOn } from './trial.ts'

/**
 * Starts a release once on a copy of the database of a site that runs as a service.
 * @throws CommandError 'failed' that says what went wrong.
 */
export async function tryRelease(site: string, release: Release, saved: Saved): Promise<void> {
  const { account, data } = layoutOf(site)
  const command = { ...commandOf(site, release), account: await accountIds(account) }
  const database = `the database of ${site}`
  await tryOn({ version: release.version, command, database, place: join(data, 'trial') }, saved).catch((error) => {
    if (!(error instanceof CommandError)) throw error
    throw new CommandError(exitCodes.failed, `${error.message} It was not put into use, and nothing was changed.`)
  })
}
