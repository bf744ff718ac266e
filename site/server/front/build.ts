import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the build that this code belongs to: another one may be in use by now, under the name `dist`. */
export const buildFolder = findBuildFolder(dirname(fileURLToPath(import.meta.url)))

/** Keeps scripts/setup.mjs from taking this build away while a site runs from it, also after many an update. */
export function keepBuildWhileRunning(): void {
  const mark = join(buildFolder, `.used-by-${process.pid}`)
  try {
    writeFileSync(mark, '')
  } catch {
    // Where this account may not write it stays until the second update.
    return
  }
  process.once('exit', () => rmSync(mark, { force: true }))
}

function findBuildFolder(folder: string): string {
  return existsSync(join(folder, 'client')) || folder === dirname(folder) ? folder : findBuildFolder(dirname(folder))
}
