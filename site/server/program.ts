import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Call } from '#db/call.ts'

/** The folder of the build that is running. Not `dist`, which may already link to a newer build. */
export const buildFolder = findBuildFolder(dirname(fileURLToPath(import.meta.url)))

/** The call for work that the site does by itself, e.g. maintenance. */
export function siteCall(): Call {
  return { now: new Date(), role: 'owner', actor: 'site' }
}

function findBuildFolder(folder: string): string {
  return existsSync(join(folder, 'client')) || folder === dirname(folder) ? folder : findBuildFolder(dirname(folder))
}
