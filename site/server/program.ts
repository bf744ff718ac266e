import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the build that is running. Not `dist`, which may already be a newer build. */
export const buildFolder = findBuildFolder(dirname(fileURLToPath(import.meta.url)))

function findBuildFolder(folder: string): string {
  return existsSync(join(folder, 'client')) || folder === dirname(folder) ? folder : findBuildFolder(dirname(folder))
}
