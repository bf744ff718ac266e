import { existsSync } from 'node:fs'
import { access, chmod, constants, type FileHandle, lchown, mkdir, open, realpath, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { UserError } from '#db/errors.ts'

/** @throws UserError 'configuration' when there is no such file, or this account may not look at it. */
export async function refuseMissing(path: string): Promise<void> {
  const code = await stat(path).then(
    () => undefined,
    (error) => error.code,
  )
  if (code === undefined) return
  throw new UserError(
    'configuration',
    code === 'ENOENT'
      ? `There is no database at ${path}. Start the site once with \`npm start\`, run \`npx rsvp init\`, or check DATABASE_URL.`
      : notAllowed(path, code),
  )
}

/** @throws UserError 'configuration' when a folder is in its place, or this account may not read it. */
export async function refuseUnusable(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  if (found === undefined) return
  if (found.isDirectory()) {
    throw new UserError('configuration', `${path} is a folder, not a database. Check DATABASE_URL.`)
  }
  await access(path, constants.R_OK).catch((error) => {
    throw new UserError('configuration', notAllowed(path, error.code))
  })
}

function notAllowed(path: string, code: string): string {
  return `This account may not open the database at ${path} (${code}). Use the account that runs the site, or check DATABASE_URL.`
}

/** The file that a name stands for, also through links: locks and journals belong to it, not to the name. */
export function realPathOf(path: string): Promise<string> {
  return realpath(path).catch(() => path)
}

/**
 * Makes the file and its folder, readable by this account only, where they are not there yet.
 * @param like root gives it to the account to which this file belongs, or the folder.
 */
export async function makePrivateFile(path: string, like = path): Promise<void> {
  await makePrivateFolder(dirname(path))
  const made = await openNew(path)
  if (made === undefined) return
  await giveToOwner(made, existsSync(like) && like !== path ? like : dirname(path))
  await made.close()
  await syncFolder(dirname(path))
}

/** Makes a folder for this account only, and those that it lies in; root gives them to the account of what was there. */
async function makePrivateFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (first === undefined || process.getuid?.() !== 0) return
  const { uid, gid } = await stat(dirname(first))
  for (let made = folder; made.length >= first.length; made = dirname(made)) await lchown(made, uid, gid)
}

/** What root makes on the way belongs to the account of the site, which would be locked out otherwise. */
async function giveToOwner(made: FileHandle, like: string): Promise<void> {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = await stat(like)
  await made.chown(uid, gid)
}

/** A new file's name lives in its folder: without this a power cut could take the whole file away. */
export function syncFolder(folder: string): Promise<void> {
  return syncOpened(folder, 'r')
}

/** Waits until what was written is on the disk. */
export function syncFile(file: string): Promise<void> {
  return syncOpened(file, 'r+')
}

async function syncOpened(path: string, flags: 'r' | 'r+'): Promise<void> {
  const opened = await open(path, flags)
  try {
    await opened.sync()
  } finally {
    await opened.close()
  }
}

/**
 * A copy brought back from somewhere may be readable by others; if it is not ours, it is not ours to change. Nor can it
 * be where nothing can be written.
 */
export async function keepPrivate(path: string): Promise<void> {
  const { mode, uid } = await stat(path)
  if ((mode & 0o077) === 0 || uid !== process.getuid?.()) return
  await chmod(path, mode & 0o700).catch((error) => {
    if (error.code !== 'EROFS') throw error
  })
}

/** Which file has this name at the moment: another one in its place answers something else. */
export async function identityOf(path: string): Promise<string> {
  const { dev, ino } = await stat(path)
  return `${dev}:${ino}`
}

/** Whether two names, also through links, stand for one file that is there. */
export async function isSameFile(path: string, otherPath: string): Promise<boolean> {
  const [one, other] = await Promise.all([path, otherPath].map((each) => identityOf(each).catch(() => undefined)))
  return one !== undefined && one === other
}

async function openNew(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, 'wx', 0o600)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return undefined
    throw error
  }
}
