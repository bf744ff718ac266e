import { existsSync } from 'node:fs'

/** The absolute path of a database that is a file; undefined for a libSQL server. */
export function fileOf(url: string): string | undefined {
  return url.startsWith('file:') ? url.slice('file:'.length) : undefined
}

/** Whether it is a file that is not there yet. */
export function isNew(url: string): boolean {
  const file = fileOf(url)
  return file !== undefined && !existsSync(file)
}

/** Where a database is, as people may read it: the path, or the address without what opens it. */
export function placeOf(url: string): string {
  const file = fileOf(url)
  if (file !== undefined) return file
  // Not its origin: there is none for libsql:.
  const { protocol, host } = new URL(url)
  return `${protocol}//${host}`
}
