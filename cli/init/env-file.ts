import { readFile } from 'node:fs/promises'
import { parseEnv } from 'node:util'
import { failure } from '../exit-code.ts'
import { writePrivateFile } from '../output/write-file.ts'

/**
 * Changes or adds lines in a file of settings; all other lines stay. Only its owner and group can read it afterwards.
 * @param like a new file that root creates gets the owner of this one, the site's account.
 */
export async function changeEnvFile(file: string, variables: Record<string, string>, like?: string): Promise<void> {
  const before = await readFile(file, 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return ''
    // Replacing a file that cannot be read would lose its lines.
    throw failure(`${file} cannot be read (${error.code}), so it was not changed.`)
  })
  const after = changedEnv(before, variables)
  refuseMisread(file, { ...parseEnv(before), ...variables }, parseEnv(after))
  const options = { replace: true, readersStay: true, ...(like !== undefined && { like }) }
  await writePrivateFile(file, [after], options)
}

function changedEnv(text: string, variables: Record<string, string>): string {
  const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n')
  for (const [name, value] of Object.entries(variables)) {
    const line = lineOf(name, value)
    const position = lines.findLastIndex((known) => known.match(/^\s*(?:export\s+)?([A-Z_]+)\s*=/)?.[1] === name)
    if (position === -1) lines.push(line)
    else lines[position] = line
  }
  return `${lines.join('\n')}\n`
}

/** In quotes only if it would be read back differently without, e.g. because of a #. */
function lineOf(name: string, value: string): string {
  const lines = ['', "'", '"', '`'].map((quote) => `${name}=${quote}${value}${quote}`)
  return lines.find((line) => parseEnv(line)[name] === value) ?? `${name}=${value}`
}

/**
 * @throws CommandError 'failed' if a value would be read back differently: an unclosed quote extends to the next one,
 * and a value with all three kinds of quotes fits into none.
 */
function refuseMisread(file: string, wanted: NodeJS.Dict<string>, read: NodeJS.Dict<string>): void {
  const names = Object.keys({ ...wanted, ...read }).filter((name) => wanted[name] !== read[name])
  if (names.length === 0) return
  const todo = 'Look for unclosed quotes, or edit the file yourself. It was not changed.'
  throw failure(`${names.join(' and ')} would be misread from ${file}. ${todo}`)
}
