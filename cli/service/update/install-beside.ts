import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { readFile, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { CommandError, exitCodes } from '../../exit-code.ts'
import { giveToRootToRun, makeSharedFolder } from '../files.ts'
import { program } from '../layout.ts'
import { copyRelease } from '../program-files.ts'
import { type Release, releaseOf, runRelease, versionIn } from '../release.ts'
import { runTool } from '../system.ts'
import { assertRoom } from './assert-room.ts'
import type { FoundRelease } from './find-release.ts'

/** More than any release has unpacked: see docs/install.md. */
const RELEASE_BYTES = 250 * 1024 * 1024

/**
 * Installs a release beside those that are there: complete, readable for every account, and on the disk; or not at all.
 * @throws CommandError 'failed' where the archive is damaged, or what is in it does not run here.
 */
export async function installBeside({ version, kind, path }: FoundRelease): Promise<Release> {
  const release = releaseOf(version)
  if (kind === 'installed' || existsSync(release.folder)) return release
  await assertRoom(program.folder, RELEASE_BYTES)
  if (kind === 'folder') await copyRelease(path, release.folder)
  else await unpack(path, release)
  return release
}

async function unpack(archive: string, { version, folder }: Release): Promise<void> {
  await compareChecksum(archive)
  const unfinished = `${folder}.tmp`
  await rm(unfinished, { recursive: true, force: true })
  await makeSharedFolder(unfinished)
  try {
    const words = ['--extract', '--gzip', '--file', archive, '--directory', unfinished]
    await runTool('tar', ...words, '--strip-components=1', '--no-same-owner').catch(() => {
      throw damaged(archive)
    })
    if (versionIn(unfinished) !== version) throw damaged(archive)
    await giveToRootToRun(unfinished)
    const said = await runRelease({ folder: unfinished }, ['--version']).catch(() => '')
    if (said.trim() !== version) throw damaged(archive)
    // What has its name is whole, whenever the power fails.
    await runTool('sync')
    await rename(unfinished, folder)
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
}

/** With the list that comes with a release, where it lies beside the archive. */
async function compareChecksum(archive: string): Promise<void> {
  const list = await readFile(join(dirname(archive), 'SHA256SUMS'), 'utf8').catch(() => '')
  const line = list.split('\n').find((text) => text.slice(66) === basename(archive))
  if (line === undefined) return
  const hash = createHash('sha256')
  await pipeline(createReadStream(archive), hash)
  if (hash.digest('hex') !== line.slice(0, 64)) throw damaged(archive)
}

function damaged(archive: string): CommandError {
  const todo = 'Download it again, together with SHA256SUMS; nothing was changed.'
  return new CommandError(exitCodes.failed, `${archive} is damaged, or does not run on this computer. ${todo}`)
}
