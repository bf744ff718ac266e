import { type FileHandle, stat } from 'node:fs/promises'
import { CommandError, exitCodes } from './exit-code.ts'

type Owner = { uid: number; gid: number }

/** What root writes is for the account of the file that it replaces, or of what a new one is like: the site's. */
export async function giveToOwner(made: FileHandle, replaced: string, like: string): Promise<void> {
  if (!isRoot()) return
  const owner = await stat(replaced).catch(() => stat(like).catch(() => undefined))
  if (owner !== undefined) await made.chown(owner.uid, owner.gid)
}

/**
 * Lets owner and group read a new file as they read the one that it replaces, and nobody else. Where that is root's and
 * everybody could read it, the group of what it is like takes their place: the site's.
 * @throws CommandError 'failed' when this account may not do that.
 */
export async function keepReaders(made: FileHandle, replaced: string, like: string): Promise<void> {
  const old = await stat(replaced).catch(() => undefined)
  if (old === undefined || process.platform === 'win32') return giveToOwner(made, replaced, like)
  const site = isRoot() && (old.mode & 0o004) !== 0 ? await stat(like).catch(() => undefined) : undefined
  const gid = site === undefined || site.uid === old.uid ? old.gid : site.gid
  const own = await made.stat()
  // Root reads every file, also one that is not its own any more.
  const wanted = { uid: old.uid === 0 && !isRoot() ? own.uid : old.uid, gid }
  const groupReads = (old.mode & 0o040) !== 0 && gid !== 0
  const given = await give(made, own, wanted)
  if (!given && (wanted.uid !== own.uid || groupReads)) {
    const todo = 'let that account do it, or root. Nothing was changed in it.'
    throw new CommandError(exitCodes.failed, `Who reads ${replaced} today could not read it any more: ${todo}`)
  }
  await made.chmod(old.mode & (given ? 0o640 : 0o600))
}

async function give(made: FileHandle, own: Owner, { uid, gid }: Owner): Promise<boolean> {
  if (own.uid === uid && own.gid === gid) return true
  return made.chown(uid, gid).then(
    () => true,
    (error) => {
      if (error.code === 'EPERM') return false
      throw error
    },
  )
}

function isRoot(): boolean {
  return process.getuid?.() === 0
}
