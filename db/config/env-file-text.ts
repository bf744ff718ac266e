import { readFileSync } from 'node:fs'

/** What stands in a file like .env; nothing where there is none to read. */
export function textOfEnvFile(file: string | undefined): string {
  try {
    return file === undefined ? '' : readFileSync(file, 'utf8')
  } catch {
    // There need not be one; that it cannot be read is said by whoever reads the settings.
    return ''
  }
}
