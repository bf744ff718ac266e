import { realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { readSettings } from '#db/config/config.ts'
import { fileOf, isNew, ownAddress, projectRoot } from '#db/config/places.ts'
import { isServed } from '#db/storage/locks.ts'
import type { Context } from '../context.ts'
import { CommandError, exitCodes } from '../exit-code.ts'
import type { SiteCommand } from '../service/site-command.ts'
import { outputOf } from '../service/system.ts'
import { git, ownerOf } from './git.ts'
import { findService, type Service } from './service.ts'
import { currentVersion, recall, type Version } from './versions.ts'

/** What an update of a checkout starts from. */
export type Situation = {
  inUse: Version
  /** What to go back to: the version in use, or, after an interrupted update, the one before it. */
  proved: Version
  /** An update was interrupted, or could not go back: whether the version in use works is not known. */
  isOpen: boolean
  site: Site
  /** The service that runs the site of this checkout, and is to be restarted. */
  service: Service | undefined
  /** One that does not run is left so; its next start is one of the new version. */
  stopped: Service | undefined
  /** Whether a site runs that is no service. */
  isServed: boolean
}

/** The site of a checkout. */
export type Site = {
  /** The command of the build that is in use at the moment of its call. */
  command: SiteCommand
  databaseUrl: string
  /** Without one there is nothing to back up, and nothing to try a version on. */
  hasDatabase: boolean
  address: string
  backups: string
  /** For a copy of the database, and for one that is put back. */
  trial: string
}

/**
 * The command of the build that is in use now, also once another one takes its place: the setup keeps it until the build
 * after that.
 */
export async function commandOfThisBuild({ command }: Site): Promise<SiteCommand> {
  const build = await realpath(join(projectRoot, 'dist'))
  return { ...command, program: [process.execPath, join(build, 'cli', 'rsvp.js')] }
}

/** @throws CommandError 'failed' where this folder is no checkout, or has changes that an update would not keep. */
export async function findSituation(name: string, context: Context): Promise<Situation> {
  await assertCheckout()
  const inUse = await currentVersion()
  const before = await recall('unproved')
  const site = await findSite(context)
  const found = await findService(name)
  // What an interrupted update has started may have failed by now.
  const service = found?.isRunning || before !== undefined ? found : undefined
  const file = fileOf(site.databaseUrl)
  const served = service === undefined && file !== undefined && (await isServed(file))
  return {
    inUse,
    proved: before ?? inUse,
    isOpen: before !== undefined,
    site,
    service,
    stopped: service === undefined ? found : undefined,
    isServed: served === true,
  }
}

async function assertCheckout(): Promise<void> {
  if ((await outputOf('git', '--version')) === '') {
    throw new CommandError(exitCodes.failed, 'git is not installed here: install it, then run the same again.')
  }
  const top = await git('rev-parse', '--show-toplevel').catch((error) => {
    throw notCheckout(error.message)
  })
  if (top !== (await realpath(projectRoot))) throw notCheckout(`its top is ${top}`)
  const changed = await git('status', '--porcelain', '--untracked-files=no')
  if (changed === '') return
  const names = changed.split('\n').map((line) => line.trim().replace(/^\S+ +/, ''))
  const some = names.length > 3 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(', ')
  const todo = 'Put them away with `git stash`, or into a branch of your own, then run the same again.'
  throw new CommandError(exitCodes.failed, `There are changes of your own in ${projectRoot}: ${some}. ${todo}`)
}

function notCheckout(reason: string): CommandError {
  const todo = 'Bring newer files into it, then run `node scripts/setup.mjs`; or clone the project with git.'
  return new CommandError(exitCodes.failed, `${projectRoot} is no checkout of git (${reason}). ${todo}`)
}

async function findSite({ io }: Context): Promise<Site> {
  // Of a copy: what stands in .env is not for the builds that this process starts.
  const { databaseUrl, host, port, backupFolder } = readSettings({ ...io.env })
  const file = fileOf(databaseUrl)
  const folder = file === undefined ? join(projectRoot, 'data') : dirname(file)
  const hasDatabase = !isNew(databaseUrl)
  const { account, env } = await ownerOf(hasDatabase && file !== undefined ? file : projectRoot)
  const launcher = join(projectRoot, 'cli', 'launcher.cjs')
  return {
    command: { program: [process.execPath, launcher], site: [], account, env: { ...env, DATABASE_URL: databaseUrl } },
    databaseUrl,
    hasDatabase,
    address: ownAddress(host, port),
    backups: backupFolder ?? join(folder, 'backups'),
    trial: join(folder, 'trial'),
  }
}
