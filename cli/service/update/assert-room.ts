import { statfs } from 'node:fs/promises'
import { CommandError, exitCodes } from '../../exit-code.ts'

const MB = 1024 * 1024

/** @throws CommandError 'failed' where a folder has less room than that. Nothing was changed then. */
export async function assertRoom(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  if (free >= bytes) return
  const [has, needs] = [free, bytes].map((size) => Math.ceil(size / MB))
  throw new CommandError(
    exitCodes.failed,
    `${folder} has room for ${has} MB, and the update needs ${needs}: make room.`,
  )
}
