// Writes the licenses of everything that a release contains, as most of them ask for.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const LICENSE_FILE = /^(licen[cs]e|copying|notice|third-party-notices)([.-].*)?$/i
const RULE = '-'.repeat(72)

/** @param {import('./parts.mjs').Part[]} parts */
export function licenseTexts(parts) {
  const texts = parts.map(({ folder, name, version, license }) => {
    const files = readdirSync(folder)
      .filter((file) => LICENSE_FILE.test(file))
      .sort()
    const words = files.map((file) => readFileSync(join(folder, file), 'utf8').trim())
    return [RULE, `${name} ${version} (${license})`, RULE, ...words].join('\n\n')
  })
  return `This program contains the following packages, each under its own license.\n\n${texts.join('\n\n')}\n`
}
