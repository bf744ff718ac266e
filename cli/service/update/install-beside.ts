import { createHash, verify } from 'node:crypto'
import { createWriteStream, existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { openRegularFile } from '#db/process/files.ts'
import { CommandError, exitCodes } from '../../exit-code.ts'
import { findOutward, giveToRootToRun, makeSharedFolder } from '../files.ts'
import { program } from '../layout.ts'
import { copyRelease } from '../program-files.ts'
import { RELEASE_KEY, type Release, releaseOf, runRelease, versionIn } from '../release.ts'
import { runTool } from '../system.ts'
import { assertRoom } from './assert-room.ts'
import type { FoundRelease } from './find-release.ts'

/** More than any release has unpacked: see docs/install.md. */
const RELEASE_BYTES = 250 * 1024 * 1024
const DOWNLOAD_AGAIN = 'Download it again, together with SHA256SUMS and SHA256SUMS.sig; nothing was changed.'

/**
 * Installs a release beside those that are there: complete, readable for every account, and on the disk; or not at all.
 * Nothing of an archive is run before its signature has been checked with the key of the release in use.
 * @throws CommandError 'failed' where the archive is not proved or damaged, or what is in it does not run here.
 */
export async function installBeside(found: FoundRelease): Promise<Release> {
  const release = releaseOf(found.version)
  if (found.kind === 'installed' || existsSync(release.folder)) return release
  await assertRoom(program.folder, RELEASE_BYTES)
  if (found.kind === 'archive') await installArchive(found, release)
  else await copyRelease(found.path, release.folder)
  return release
}

/** In a folder where only root can look and write, so that what is checked is what is run. */
async function installArchive({ path: archive, isUnsigned }: FoundRelease, release: Release): Promise<void> {
  const incoming = join(program.folder, 'incoming')
  await rm(incoming, { recursive: true, force: true })
  try {
    await mkdir(incoming, { mode: 0o700 })
    const sum = await readSum(archive, isUnsigned === true)
    const copy = join(incoming, 'archive')
    const copied = await copyAndHash(archive, copy)
    if (sum !== undefined && copied !== sum) throw damaged(archive)
    await unpack({ archive, copy, unpacked: join(incoming, 'unpacked') }, release)
  } finally {
    await rm(incoming, { recursive: true, force: true })
  }
}

/**
 * The hash that a release of ours has, from the list that comes with it. Undefined only where no signature is wanted, and
 * there is no list.
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
  // A list without it, or with two, is not its list.
  if (sum.length !== 1) throw new CommandError(exitCodes.failed, `${list} does not name ${archive}. ${DOWNLOAD_AGAIN}`)
  return sum[0]
}

async function assertSigned(archive: string, sums: Buffer | undefined, signature: Buffer | undefined): Promise<void> {
  const key = await readFile(join(program.current, RELEASE_KEY)).catch(() => undefined)
  if (key === undefined) {
    throw unproved(archive, 'the release in use has no key to check a signature with')
  }
  if (sums === undefined || signature === undefined) {
    throw unproved(archive, 'SHA256SUMS and its signature, SHA256SUMS.sig, have to lie beside it')
  }
  if (!verify(null, sums, key, signature)) {
    throw unproved(archive, 'the signature in SHA256SUMS.sig is not of the makers of the release in use')
  }
}

/** A list or a signature; undefined where there is none. */
async function readWhole(file: string): Promise<Buffer | undefined> {
  if (!existsSync(file)) return undefined
  const opened = await openRegularFile(file)
  try {
    return await opened.readFile()
  } finally {
    await opened.close()
  }
}

/** Reads it once: a second time it could be another one. */
async function copyAndHash(archive: string, copy: string): Promise<string> {
  const hash = createHash('sha256')
  const hashing = new Transform({
    transform(chunk, _encoding, done) {
      hash.update(chunk)
      done(null, chunk)
    },
  })
  const opened = await openRegularFile(archive)
  await pipeline(opened.createReadStream(), hashing, createWriteStream(copy, { mode: 0o600, flags: 'wx' }))
  return hash.digest('hex')
}

async function unpack(
  { archive, copy, unpacked }: { archive: string; copy: string; unpacked: string },
  { version, folder }: Release,
): Promise<void> {
  await mkdir(unpacked)
  const words = ['--extract', '--gzip', '--file', copy, '--directory', unpacked]
  await runTool('tar', ...words, '--strip-components=1', '--no-same-owner').catch(() => {
    throw damaged(archive)
  })
  const outward = await findOutward(unpacked)
  if (outward !== undefined) {
    const what = `${outward.slice(unpacked.length + 1)}, which is a device or leads out of it`
    throw new CommandError(exitCodes.failed, `${archive} has ${what}: no release does. ${DOWNLOAD_AGAIN}`)
  }
  if (versionIn(unpacked) !== version) throw damaged(archive)
  await giveToRootToRun(unpacked)
  const said = await runRelease({ folder: unpacked }, ['--version']).catch(() => '')
  if (said.trim() !== version) throw damaged(archive)
  // What has its name is whole, whenever the power fails.
  await runTool('sync')
  await makeSharedFolder(dirname(folder))
  await rename(unpacked, folder)
}

function damaged(archive: string): CommandError {
  return new CommandError(
    exitCodes.failed,
    `${archive} is damaged, or does not run on this computer. ${DOWNLOAD_AGAIN}`,
  )
}

function unproved(archive: string, why: string): CommandError {
  const todo = '`--unsigned` takes it all the same, and asks; nothing was changed.'
  return new CommandError(exitCodes.failed, `It is not proved who has made ${archive}: ${why}. ${todo}`)
}
