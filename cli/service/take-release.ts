import { createHash, verify } from 'node:crypto'
import { createWriteStream, existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat, statfs } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import newestFirst from 'semver/functions/rcompare.js'
import valid from 'semver/functions/valid.js'
import { isRelease, projectRoot, readProgramVersion } from '#db/config/places.ts'
import { openRegularFile } from '#db/process/files.ts'
import { type CommandError, failure, notFoundError, usageError } from '../exit-code.ts'
import { copyRelease, RELEASE_KEY, type Release, releaseOf, runRelease, versionIn } from './release.ts'
import { program } from './site.ts'
import { findOutward, giveToRootToRun, makeSharedFolder, runTool } from './system.ts'

/**
 * A release that can be put into use: packed, unpacked somewhere, installed already, or the one whose command is
 * running, which needs no signature. `isUnsigned` is one that is accepted without.
 */
export type FoundRelease = {
  version: string
  kind: 'archive' | 'folder' | 'installed' | 'running'
  path: string
  isUnsigned?: boolean
}

const platform = `linux-${process.arch}`
const ARCHIVE = /^rsvp-(.+)-(linux-(?:x64|arm64))\.tar\.gz$/
const MB = 1024 * 1024
/** More than any unpacked release needs: see docs/install.md. */
const RELEASE_BYTES = 250 * MB
const DOWNLOAD_AGAIN = 'Download it again, together with SHA256SUMS and SHA256SUMS.sig; nothing was changed.'

/**
 * The newest release, or the one of that version.
 * @param source an archive, an unpacked release, or a folder of them; by default this release or, if it is the one in
 * use, the current folder.
 * @param options `unsigned` also accepts an unpacked release, which no signature can verify.
 * @throws CommandError 'not found', or 'usage' if the file is something else.
 */
export async function findRelease(
  source: string | undefined,
  { to: version, unsigned = false }: { to?: string; unsigned?: boolean },
  cwd: string,
): Promise<FoundRelease> {
  const place = source === undefined ? undefined : resolve(cwd, source)
  // To run the command of a release that is not in use is to ask for that release.
  const isThis = place === undefined && isRelease && dirname(projectRoot) !== program.releases
  const found: FoundRelease[] = isThis
    ? [{ version: readProgramVersion(), kind: 'running', path: projectRoot }]
    : await releasesAt(place ?? cwd)
  const installed = version === undefined ? [] : await releasesIn(program.releases, 'installed')
  const candidates = [...installed, ...found]
    .filter((release) => version === undefined || release.version === version)
    // Anyone who may write to a folder could put one there.
    .filter(({ kind, path }) => kind !== 'folder' || path === place || unsigned)
  const [newest] = candidates.toSorted((a, b) => newestFirst(a.version, b.version))
  if (newest?.kind === 'folder' && !unsigned) {
    const todo = 'Give its archive, with SHA256SUMS and SHA256SUMS.sig beside it, or add --unsigned.'
    throw failure(`${newest.path} is unpacked, and no signature proves what is in it. ${todo}`)
  }
  if (newest !== undefined) return { ...newest, isUnsigned: unsigned && /^(archive|folder)$/.test(newest.kind) }
  const what = version === undefined ? `release for ${platform}` : `release ${version} for ${platform}`
  const todo = 'Download its archive, e.g. rsvp-0.3.0-linux-x64.tar.gz, and name it: `rsvp update FILE`.'
  throw notFoundError(`There is no ${what} in ${place ?? cwd}. ${todo}`)
}

/**
 * Installs a release beside the others, complete, readable by every account and synced to disk; or not at all. Nothing
 * of an archive is run before its signature has been checked with the key of the release in use.
 * @throws CommandError 'failed' if the archive is unverified or damaged, or does not run here.
 */
export async function installBeside(found: FoundRelease): Promise<Release> {
  const release = releaseOf(found.version)
  if (found.kind === 'installed' || existsSync(release.folder)) return release
  await assertRoom(program.folder, RELEASE_BYTES)
  if (found.kind === 'archive') await installArchive(found, release)
  else await copyRelease(found.path, release.folder)
  return release
}

/** @throws CommandError 'failed' if the folder has less room than that. */
export async function assertRoom(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  if (free >= bytes) return
  const [has, needs] = [free, bytes].map((size) => Math.ceil(size / MB))
  throw failure(`${folder} has room for ${has} MB, and the update needs ${needs}: make room.`)
}

async function releasesAt(path: string): Promise<FoundRelease[]> {
  const found = await stat(path).catch(() => undefined)
  if (found === undefined) throw notFoundError(`There is no ${path}.`)
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
  throw usageError(`${path} ${what}. ${todo}`)
}

/** In a folder that only root can read and write, so that what is checked is what is run. */
async function installArchive({ path: archive, isUnsigned }: FoundRelease, release: Release): Promise<void> {
  const incoming = join(program.folder, 'incoming')
  await rm(incoming, { recursive: true, force: true })
  try {
    await mkdir(incoming, { mode: 0o700 })
    const sum = await readSum(archive, isUnsigned === true)
    const copy = join(incoming, 'archive')
    const copied = await copyAndHash(archive, copy)
    if (sum !== undefined && copied !== sum) throw damaged(archive)
    await unpack(archive, copy, release)
  } finally {
    await rm(incoming, { recursive: true, force: true })
  }
}

/**
 * The hash of the archive in SHA256SUMS. Undefined only if no signature is required and there is no list.
 */
async function readSum(archive: string, isUnsigned: boolean): Promise<string | undefined> {
  const list = join(dirname(archive), 'SHA256SUMS')
  const sums = await readWhole(list)
  if (!isUnsigned) await assertSigned(archive, sums, await readWhole(`${list}.sig`))
  if (sums === undefined) return undefined
  const lines = sums.toString().split(/\r?\n/)
  const sum = lines.flatMap((line) => {
    const [, hash, name] = /^([\da-f]{64}) [ *](?:\.\/)?(.+)$/.exec(line) ?? []
    return hash !== undefined && name === basename(archive) ? hash : []
  })
  // A list that has the archive never or twice is not its list.
  if (sum.length !== 1) throw failure(`${list} does not name ${archive}. ${DOWNLOAD_AGAIN}`)
  return sum[0]
}

async function assertSigned(archive: string, sums: Buffer | undefined, signature: Buffer | undefined): Promise<void> {
  const refuse = (why: string) => {
    const todo = '`--unsigned` takes it anyway, and asks; nothing was changed.'
    return failure(`The origin of ${archive} is unverified: ${why}. ${todo}`)
  }
  const key = await readFile(join(program.current, RELEASE_KEY)).catch(() => undefined)
  if (key === undefined) throw refuse('the release in use has no key to check a signature with')
  if (sums === undefined || signature === undefined) {
    throw refuse('SHA256SUMS and its signature, SHA256SUMS.sig, must be beside it')
  }
  if (!verify(null, sums, key, signature)) {
    throw refuse('the signature in SHA256SUMS.sig was not made with the key of the release in use')
  }
}

/** Undefined if there is no such file. */
async function readWhole(file: string): Promise<Buffer | undefined> {
  if (!existsSync(file)) return undefined
  const opened = await openRegularFile(file)
  return Buffer.concat(await Array.fromAsync(opened.createReadStream()))
}

/** Reads the archive only once: it could be replaced before a second time. */
async function copyAndHash(archive: string, copy: string): Promise<string> {
  const hash = createHash('sha256')
  const opened = await openRegularFile(archive)
  async function* hashed(chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      hash.update(chunk)
      yield chunk
    }
  }
  await pipeline(opened.createReadStream(), hashed, createWriteStream(copy, { mode: 0o600, flags: 'wx' }))
  return hash.digest('hex')
}

async function unpack(archive: string, copy: string, { version, folder }: Release): Promise<void> {
  const unpacked = join(dirname(copy), 'unpacked')
  await mkdir(unpacked)
  const words = ['--extract', '--gzip', '--file', copy, '--directory', unpacked]
  await runTool('tar', ...words, '--strip-components=1', '--no-same-owner').catch(() => {
    throw damaged(archive)
  })
  const outward = await findOutward(unpacked)
  if (outward !== undefined) {
    const what = `${outward.slice(unpacked.length + 1)}, which is a device or points outside`
    throw failure(`${archive} contains ${what}: no release does. ${DOWNLOAD_AGAIN}`)
  }
  if (versionIn(unpacked) !== version) throw damaged(archive)
  await giveToRootToRun(unpacked)
  const said = await runRelease({ folder: unpacked }, ['--version']).catch(() => '')
  if (said.trim() !== version) throw damaged(archive)
  // A folder with the final name is complete, even after a power failure.
  await runTool('sync')
  await makeSharedFolder(dirname(folder))
  await rename(unpacked, folder)
}

function damaged(archive: string): CommandError {
  return failure(`${archive} is damaged, or does not run on this computer. ${DOWNLOAD_AGAIN}`)
}
