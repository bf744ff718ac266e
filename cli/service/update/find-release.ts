import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import newestFirst from 'semver/functions/rcompare.js'
import valid from 'semver/functions/valid.js'
import { isRelease, projectRoot, readProgramVersion } from '#db/config/places.ts'
import { CommandError, exitCodes } from '../../exit-code.ts'
import { program } from '../layout.ts'
import { releaseOf, versionIn } from '../release.ts'

/**
 * A release that can be put into use: packed, unpacked somewhere, installed already, or the one whose command is running
 * now, which has nothing left to prove. `isUnsigned` is one that is taken without its signature.
 */
export type FoundRelease = {
  version: string
  kind: 'archive' | 'folder' | 'installed' | 'running'
  path: string
  isUnsigned?: boolean
}

const platform = `linux-${process.arch}`
const ARCHIVE = /^rsvp-(.+)-(linux-(?:x64|arm64))\.tar\.gz$/

/**
 * The release that an update is to put into use: the newest, or the one of that version.
 * @param source an archive, an unpacked release, or a folder that has some. Without it this very release, or, if it is the
 * one in use, the current folder.
 * @param options `unsigned` takes an unpacked release as well, which no signature proves.
 * @throws CommandError 'not found', 'usage' where the file is something else.
 */
export async function findRelease(
  source: string | undefined,
  { to: version, unsigned = false }: { to?: string; unsigned?: boolean },
  cwd: string,
): Promise<FoundRelease> {
  const place = source === undefined ? undefined : resolve(cwd, source)
  const found = place === undefined ? await releasesHere(cwd) : await releasesAt(place)
  const installed = version === undefined ? [] : await releasesIn(program.releases, 'installed')
  const candidates = [...installed, ...found]
    .filter((release) => version === undefined || release.version === version)
    // Whoever may write into a folder could put one there.
    .filter(({ kind, path }) => kind !== 'folder' || path === place || unsigned)
  const [newest] = candidates.toSorted((a, b) => newestFirst(a.version, b.version))
  if (newest?.kind === 'folder' && !unsigned) {
    const todo = 'Give its archive, with SHA256SUMS and SHA256SUMS.sig beside it, or add --unsigned.'
    throw new CommandError(
      exitCodes.failed,
      `${newest.path} is unpacked, and no signature proves what is in it. ${todo}`,
    )
  }
  if (newest !== undefined) return { ...newest, isUnsigned: unsigned && /^(archive|folder)$/.test(newest.kind) }
  const what = version === undefined ? `release for ${platform}` : `release ${version} for ${platform}`
  const todo = 'Download its archive, e.g. rsvp-0.3.0-linux-x64.tar.gz, and name it: `rsvp update FILE`.'
  throw new CommandError(exitCodes.notFound, `There is no ${what} in ${place ?? cwd}. ${todo}`)
}

/** Whoever runs the command of a release that is not in use wants to use that one. */
async function releasesHere(cwd: string): Promise<FoundRelease[]> {
  if (isRelease && dirname(projectRoot) !== program.releases) {
    return [{ version: readProgramVersion(), kind: 'running', path: projectRoot }]
  }
  return releasesAt(cwd)
}

async function releasesAt(path: string): Promise<FoundRelease[]> {
  const found = await stat(path).catch(() => undefined)
  if (found === undefined) throw new CommandError(exitCodes.notFound, `There is no ${path}.`)
  if (!found.isDirectory()) return [archiveAt(path)]
  const version = await versionOfUnpacked(path)
  return version === undefined ? releasesIn(path, 'folder') : [{ version, kind: 'folder', path }]
}

async function releasesIn(folder: string, kind: 'folder' | 'installed'): Promise<FoundRelease[]> {
  const names = await readdir(folder).catch(() => [])
  const found = names.map(async (name): Promise<FoundRelease[]> => {
    const path = join(folder, name)
    const [, given, built] = ARCHIVE.exec(name) ?? []
    if (built === platform && valid(given)) return [archiveAt(path)]
    const version = await versionOfUnpacked(path)
    return version === undefined || (kind === 'installed' && releaseOf(version).folder !== path)
      ? []
      : [{ version, kind, path }]
  })
  return (await Promise.all(found)).flat()
}

async function versionOfUnpacked(folder: string): Promise<string | undefined> {
  const isUnpacked = await stat(join(folder, 'builds', 'packed')).catch(() => undefined)
  const version = versionIn(folder)
  return isUnpacked && valid(version) ? version : undefined
}

function archiveAt(path: string): FoundRelease {
  const [, version = '', built] = ARCHIVE.exec(basename(path)) ?? []
  if (built === platform && valid(version)) return { version, kind: 'archive', path }
  const todo = `Take the one whose name ends with ${platform}.tar.gz.`
  const what =
    built === undefined || built === platform
      ? 'is no archive of a release'
      : `is for ${built}, and this computer is ${platform}`
  throw new CommandError(exitCodes.usage, `${path} ${what}. ${todo}`)
}
