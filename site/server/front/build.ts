import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the build that this code belongs to. `dist` may point to a newer build by now. */
export const buildFolder = findBuildFolder(dirname(fileURLToPath(import.meta.url)))

/** Marks this build as in use, so that scripts/setup.mjs keeps it through any number of updates. */
export function keepBuildWhileRunning(): void {
  const mark = join(buildFolder, `.used-by-${process.pid}`)
  try {
    writeFileSync(mark, '')
  } catch {
    // Where this account may not write, the build is kept until the second update.
    return
  }
  process.once('exit', () => rmSync(mark, { force: true }))
}

function findBuildFolder(folder: string): string {
  return existsSync(join(folder, 'client')) || folder === dirname(folder) ? folder : findBuildFolder(dirname(folder))
}
