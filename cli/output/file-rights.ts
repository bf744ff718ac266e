import { type FileHandle, stat } from 'node:fs/promises'
import { giveToOwner } from '#db/process/files.ts'
import { CommandError, exitCodes } from '../exit-code.ts'

type Owner = { uid: number; gid: number }

/**
 * Gives a new file the owner and group of the file that it replaces; no other account can read it. If all accounts could
 * read the old file and `like` belongs to another account, that of the site, the group of `like` can read the new one.
 * @throws CommandError 'failed' when this account may not do that.
 */
export async function keepReaders(made: FileHandle, replaced: string, like: string): Promise<void> {
  const old = await stat(replaced).catch(() => undefined)
  if (old === undefined || process.platform === 'win32') return giveToOwner(made, [replaced, like])
  const own = await made.stat()
  // Root can read every file, even one that it gives away.
  const uid = old.uid === 0 && process.getuid?.() !== 0 ? own.uid : old.uid
  const site = (old.mode & 0o004) === 0 ? undefined : await stat(like).catch(() => undefined)
  const group = site === undefined || [uid, 0].includes(site.uid) ? undefined : site.gid
  const given = await give(made, own, { uid, gid: group ?? old.gid })
  const groupReads = group !== undefined || ((old.mode & 0o040) !== 0 && old.gid !== 0)
  if (!given && (uid !== own.uid || groupReads)) {
    const alone = `let root do it, or, if no other account needs it, take the rights of others away first (chmod o= ${replaced}).`
    const todo = uid === own.uid && group !== undefined ? alone : 'let that account do it, or root.'
    throw new CommandError(
      exitCodes.failed,
      `Who reads ${replaced} today could not read it any more: ${todo} Nothing was changed in it.`,
    )
  }
  const mode = group === undefined ? old.mode : old.mode | 0o040
  await made.chmod(mode & (given ? 0o640 : 0o600))
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
