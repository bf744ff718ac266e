import gt from 'semver/functions/gt.js'
import prerelease from 'semver/functions/prerelease.js'
import { CommandError, exitCodes } from '../exit-code.ts'
import { git, gitOutput } from './git.ts'
import { currentVersion, type Version, versionAt, versionTags } from './versions.ts'

/**
 * The version that an update is to put into use: the one that is named, or the newest.
 * @param named a version, a tag, a branch or a commit.
 * @returns undefined where nothing is newer.
 * @throws CommandError 'not found', 'failed' where the newest cannot be fetched.
 */
export async function findTarget(
  named: string | undefined,
  warn: (sentence: string) => void,
): Promise<Version | undefined> {
  const current = await currentVersion()
  const remote = await remoteOf(current)
  const failure = remote === '' ? undefined : await fetchFrom(remote)
  if (named !== undefined) {
    const target = await findNamed(named, remote, current)
    if (target !== undefined && failure !== undefined) warn(`${failure} What is here already is taken.`)
    if (target !== undefined) return target
    const here = failure === undefined ? '' : ` ${failure}`
    const todo = '`git tag` lists the versions that are here.'
    throw new CommandError(exitCodes.notFound, `There is no version ${named}.${here} ${todo}`)
  }
  if (failure !== undefined) {
    const todo = 'Check the network and `git remote --verbose`; --to takes a version that is here already.'
    throw new CommandError(exitCodes.failed, `${failure} ${todo}`)
  }
  const all = await versionTags()
  return all.length === 0 ? findUpstream(current) : findNewest(all)
}

/** The remote that the branch follows, or else the usual one; empty where there is none. */
async function remoteOf({ branch }: Version): Promise<string> {
  const followed = await gitOutput('config', '--get', `branch.${branch}.remote`)
  const remotes = (await git('remote')).split('\n')
  return [followed, 'origin', ...remotes].find((name) => name !== '' && remotes.includes(name)) ?? ''
}

/** Returns why it cannot be fetched, as a sentence. */
async function fetchFrom(remote: string): Promise<string | undefined> {
  try {
    await git('fetch', '--quiet', '--tags', remote)
    return undefined
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return `Nothing can be fetched from ${remote}: ${reason.replace(/^fatal: /, '').replace(/\.?$/, '.')}`
  }
}

async function findNamed(named: string, remote: string, current: Version): Promise<Version | undefined> {
  // It would be taken for an option.
  if (named.startsWith('-')) return undefined
  for (const name of [`refs/tags/v${named}`, `refs/tags/${named}`, `refs/remotes/${remote}/${named}`, named]) {
    const commit = await gitOutput('rev-parse', '--verify', '--quiet', `${name}^{commit}`)
    if (commit === '') continue
    const isOwn = name.startsWith('refs/remotes/') && named === current.branch
    return isOwn ? moved(current, commit) : versionAt(commit)
  }
  return undefined
}

/** Before the first version there is only what the branch follows. */
async function findUpstream(current: Version): Promise<Version | undefined> {
  const commit = await gitOutput('rev-parse', '--verify', '--quiet', '@{upstream}^{commit}')
  if (commit === '') {
    const what = 'There are no versions here, and no branch of a remote is followed.'
    throw new CommandError(exitCodes.notFound, `${what} Say with --to what to update to.`)
  }
  const isIncluded = (await gitOutput('merge-base', commit, 'HEAD')) === commit
  return isIncluded ? undefined : moved(current, commit)
}

/** Previews are only for who has one already. */
async function findNewest(all: string[]): Promise<Version | undefined> {
  const [included] = await versionTags('--merged', 'HEAD')
  const takesPreviews = included !== undefined && prerelease(included) !== null
  const newest = all.find((tag) => takesPreviews || prerelease(tag) === null)
  if (newest === undefined || (included !== undefined && !gt(newest, included))) return undefined
  return versionAt(await git('rev-parse', '--verify', `refs/tags/${newest}^{commit}`))
}

/** @throws CommandError 'failed' where the branch has commits that would be lost. */
async function moved({ commit, branch }: Version, to: string): Promise<Version> {
  if ((await gitOutput('merge-base', commit, to)) === commit) return versionAt(to, branch)
  const todo = `Bring them together with \`git pull\`, then run \`node scripts/setup.mjs\` and restart the site.`
  throw new CommandError(exitCodes.failed, `The branch ${branch} has commits of your own. ${todo}`)
}
