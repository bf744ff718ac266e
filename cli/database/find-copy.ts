import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Encrypted } from '#db/backup/copies/drill.ts'
import { isCopyName } from '#db/backup/names.ts'
import type { Copies } from '#db/config/config.ts'
import type { Context } from '../context.ts'

/**
 * The encrypted copy that is meant: a file here, or the name of one at the other place, with the place or without. Undefined
 * for anything else.
 */
export async function findCopy(given: string, { place }: Copies, { io }: Context): Promise<Encrypted | undefined> {
  const file = resolve(io.cwd(), given)
  if (given.endsWith('.age') && (await stat(file).catch(() => undefined))?.isFile()) return { file }
  if (place === undefined) return undefined
  const start = `${place.title}/`
  const name = given.startsWith(start) ? given.slice(start.length) : given
  return isCopyName(name) ? { name } : undefined
}
