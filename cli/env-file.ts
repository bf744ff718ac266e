import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { writePrivateFile } from './write-file.ts'

/** Puts variables into a file of settings: known lines are changed, new ones added, everything else stays. */
export async function changeEnvFile(file: string, variables: Record<string, string>): Promise<void> {
  // A file that is there and cannot be read must not be replaced by one without its lines.
  const before = existsSync(file) ? await readFile(file, 'utf8') : ''
  await writePrivateFile(file, [changedEnv(before, variables)], { replace: true })
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
