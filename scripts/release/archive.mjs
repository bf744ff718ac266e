// Writes archives and their checksums: the same bytes for the same files, on any machine and at any time.
import { createHash, sign } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { create } from 'tar'

/** Packs a folder with its name into a .tar.gz. @param {Date} time of every file in it */
export async function pack(folder, archive, time) {
  const cwd = dirname(folder)
  // Sorted: folders list their files in any order.
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(cwd.length + 1))
    .sort()
  await create({ cwd, file: archive, gzip: { level: 9 }, portable: true, mtime: time, onWriteEntry: readable }, files)
}

/** Every account may read and run a program, and only its owner may change it. */
function readable(entry) {
  if (entry.stat !== undefined) entry.stat.mode = entry.stat.mode & 0o100 ? 0o755 : 0o644
}

/** In the form that `sha256sum --check` reads. */
export function writeChecksums(files, list) {
  const lines = files.map(
    (file) => `${createHash('sha256').update(readFileSync(file)).digest('hex')}  ${basename(file)}\n`,
  )
  writeFileSync(list, lines.join(''))
}

/** Signs the list beside it: 64 bytes that `rsvp update`, and `openssl pkeyutl`, check. @param {import('node:crypto').KeyObject} key Ed25519 */
export function signChecksums(list, key) {
  writeFileSync(`${list}.sig`, sign(null, readFileSync(list), key))
}
