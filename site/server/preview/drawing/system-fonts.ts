import { readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { type Font, readFont } from './font.ts'

const FOLDERS = [
  '/usr/share/fonts',
  '/usr/local/share/fonts',
  join(homedir(), '.local/share/fonts'),
  '/System/Library/Fonts',
  '/Library/Fonts',
  'C:\\Windows\\Fonts',
]
/** More are not opened: each takes a fraction of a millisecond. */
const FILES_MAXIMUM = 1000
const UNSUITABLE = /italic|oblique|mono|condensed|light|thin|black|symbol|emoji/i

/**
 * The fonts of this computer that have the characters which others lack, as few as possible; undefined where some are in
 * none of them.
 */
export function findFonts(characters: string[]): Font[] | undefined {
  const found: Font[] = []
  let missing = characters
  for (const path of fontFiles()) {
    if (missing.length === 0) break
    const font = readFont(path)
    const left = font === undefined ? missing : missing.filter((character) => !font.has(character))
    if (font === undefined || left.length === missing.length) continue
    found.push(font)
    missing = left
  }
  return missing.length === 0 ? found : undefined
}

/** Those that suit a headline first. */
function fontFiles(): string[] {
  const files = FOLDERS.flatMap(filesIn).filter((path) => /\.(ttf|otf|ttc)$/i.test(path))
  const rank = (path: string) => (UNSUITABLE.test(path) ? 2 : 0) + (/bold/i.test(path) ? 0 : 1)
  return files.sort((one, other) => rank(one) - rank(other)).slice(0, FILES_MAXIMUM)
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))
  } catch {
    // There is no such folder here.
    return []
  }
}
