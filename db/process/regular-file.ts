import { constants } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { UserError } from '#db/errors.ts'

/** In bytes: far more than a site ever stores, and what a disk may hold twice. */
const SIZE_MAXIMUM = 4 * 1024 ** 3

/**
 * Opens a file that someone else may have made, to read it.
 * @throws UserError 'damaged' for a pipe or a device, which could keep the process waiting for ever, and for what is
 * too large.
 */
export async function openRegularFile(path: string): Promise<FileHandle> {
  // Before it is opened as well: a device may start to work then.
  if (!(await stat(path)).isFile()) throw notRegular(path)
  // Returns at once from what has become a pipe meanwhile. Windows has no such flag, and no such pipe.
  const opened = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  const found = await opened.stat()
  if (found.isFile() && found.size <= SIZE_MAXIMUM) return opened
  await opened.close()
  if (!found.isFile()) throw notRegular(path)
  throw new UserError('damaged', `${path} is larger than 4 GB, which no file of this site is. Try another one.`)
}

function notRegular(path: string): UserError {
  return new UserError('damaged', `${path} is a pipe, a device or a folder, and not a file. Try another one.`)
}
