import {
  chmod,
  chown,
  lstat,
  mkdir,
  readdir,
  readlink,
  realpath,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { runTool } from './system.ts'

/** A folder that every account may look into, with those above it, whatever the umask. What is there stays as it is. */
export async function makeSharedFolder(folder: string): Promise<void> {
  const topmost = await mkdir(folder, { recursive: true })
  if (topmost === undefined) return
  for (let made = folder; made.length >= topmost.length; made = dirname(made)) await chmod(made, 0o755)
}

/** A file that every account may read, whatever the umask: complete, or as it was. */
export async function writeSharedFile(file: string, text: string): Promise<void> {
  const unfinished = `${file}.tmp`
  await writeFile(unfinished, text)
  await chmod(unfinished, 0o644)
  await rename(unfinished, file)
}

/** In one step: there is no moment without it. */
export async function replaceLink(link: string, target: string): Promise<void> {
  const unfinished = `${link}.tmp`
  await makeSharedFolder(dirname(link))
  await rm(unfinished, { force: true })
  await symlink(relative(dirname(link), target), unfinished)
  await rename(unfinished, link)
}

/** Where a link leads, as an absolute path; undefined where there is none. */
export async function linkedTo(link: string): Promise<string | undefined> {
  const target = await readlink(link).catch(() => undefined)
  return target && join(dirname(link), target)
}

/** Gives a folder with all that is in it to an account. The tool follows no link, also not one that comes meanwhile. */
export async function giveAll(path: string, uid: number, gid: number): Promise<void> {
  await runTool('chown', '--recursive', '--no-dereference', `${uid}:${gid}`, '--', path)
}

/** Lets every account read and run what is in a folder, and only root change it. */
export async function giveToRootToRun(path: string): Promise<void> {
  const found = await lstat(path)
  if (found.isSymbolicLink()) return
  await chown(path, 0, 0)
  await chmod(path, found.isDirectory() || found.mode & 0o100 ? 0o755 : 0o644)
  if (found.isDirectory()) for (const name of await readdir(path)) await giveToRootToRun(join(path, name))
}

/**
 * What in a folder is no file, folder or link within it: a device, a pipe, a link that leads outside, also a hard one.
 * Undefined where there is none.
 */
export async function findOutward(folder: string): Promise<string | undefined> {
  const top = await realpath(folder)
  const names = new Map<number, { path: string; links: number; found: number }>()
  for (const entry of await readdir(top, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isSymbolicLink()) {
      const target = await realpath(path).catch(() => '')
      if (!target.startsWith(top + sep)) return path
    } else if (entry.isFile()) {
      const { ino, nlink } = await lstat(path)
      names.set(ino, { path, links: nlink, found: (names.get(ino)?.found ?? 0) + 1 })
    } else if (!entry.isDirectory()) return path
  }
  return Array.from(names.values()).find(({ links, found }) => links > found)?.path
}
