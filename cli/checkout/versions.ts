import compare from 'semver/functions/rcompare.js'
import valid from 'semver/functions/valid.js'
import { git, gitOutput } from './git.ts'

/** A version of the checkout. With a branch it is where that branch is. */
export type Version = { title: string; commit: string; branch: string | undefined }

/** What an update has replaced; during one, what it goes back to: what is checked out has still to be seen working. */
type Remembered = 'previous' | 'unproved'

/** The version that is checked out. */
export async function currentVersion(): Promise<Version> {
  const branch = await gitOutput('symbolic-ref', '--quiet', '--short', 'HEAD')
  return versionAt(await git('rev-parse', '--verify', 'HEAD'), branch || undefined)
}

/** The title is the version if it is one, otherwise the short name of the commit. */
export async function versionAt(commit: string, branch?: string): Promise<Version> {
  const [newest] = await versionTags('--points-at', commit)
  return { title: newest?.slice(1) ?? (await git('rev-parse', '--short', commit)), commit, branch }
}

/** Tags like `v0.3.0`, the newest version first. @param words which of them, as git has it. */
export async function versionTags(...words: string[]): Promise<string[]> {
  const tags = await git('tag', '--list', 'v*', ...words)
  return tags
    .split('\n')
    .filter((tag) => valid(tag) !== null)
    .toSorted(compare)
}

/** Puts the files of a version in the place of those that are there; what git does not know stays. */
export async function checkOut({ commit, branch }: Version): Promise<void> {
  // The branch keeps what it follows.
  await git('checkout', '--quiet', ...(branch === undefined ? ['--detach'] : ['-B', branch]), commit)
}

export async function recall(name: Remembered): Promise<Version | undefined> {
  const commit = await gitOutput('rev-parse', '--verify', '--quiet', `refs/rsvp/${name}`)
  if (commit === '') return undefined
  return versionAt(commit, (await gitOutput('config', '--get', branchSetting(name))) || undefined)
}

/** As a reference of git, so that the commit stays even where no branch has it. */
export async function remember(name: Remembered, { commit, branch }: Version): Promise<void> {
  if (branch === undefined) await gitOutput('config', '--unset-all', branchSetting(name))
  else await git('config', branchSetting(name), branch)
  await git('update-ref', `refs/rsvp/${name}`, commit)
}

export async function forget(name: Remembered): Promise<void> {
  await gitOutput('update-ref', '-d', `refs/rsvp/${name}`)
  await gitOutput('config', '--unset-all', branchSetting(name))
}

function branchSetting(name: Remembered): string {
  return `rsvp.${name}Branch`
}
