import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { projectRoot } from '#db/config.ts'
import { CommandError, exitCodes } from './exit-code.ts'
import { writePrivateFile } from './write-file.ts'

/** Beside package.json. */
export const envFile = join(projectRoot, '.env')

/**
 * Puts variables into a file of settings: known lines are changed, new ones added, everything else stays.
 * Who reads it today goes on reading it, except everybody.
 * @param like a new one that root makes is for the account that has this file: the site's.
 */
export async function changeEnvFile(file: string, variables: Record<string, string>, like?: string): Promise<void> {
  const before = await readFile(file, 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return ''
    // Replacing it by a file without its lines would lose them.
    throw new CommandError(exitCodes.failed, `${file} cannot be read (${error.code}): nothing was changed in it.`)
  })
  const options = { replace: true, readersStay: true, ...(like !== undefined && { like }) }
  await writePrivateFile(file, [changedEnv(before, variables)], options)
}

/** The text of such a file after the change. */
export function changedEnv(text: string, variables: Record<string, string>): string {
  const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n')
  for (const [name, value] of Object.entries(variables)) {
    const line = `${name}=${value}`
    const position = lines.findLastIndex((known) => known.match(/^\s*(?:export\s+)?([A-Z_]+)\s*=/)?.[1] === name)
    if (position === -1) lines.push(line)
    else lines[position] = line
  }
  return `${lines.join('\n')}\n`
}
