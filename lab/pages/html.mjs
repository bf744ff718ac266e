// Runs the Nu HTML checker on a folder of pages. It needs Java.
import { spawnSync } from 'node:child_process'
import { Failure } from '../../scripts/run.mjs'

/** The checker guesses the language from all words of a page: those of a long sheet are names of people. */
const GUESS = /^This document appears to be written in/

/** @returns {string[]} what is wrong, a line for each: errors and warnings, no remarks on how frameworks write HTML. */
export function checkHtml(jar, folder) {
  const { error, stderr } = spawnSync('java', ['-jar', jar, '--format', 'json', '--skip-non-html', folder], {
    maxBuffer: 1 << 28,
    encoding: 'utf8',
  })
  if (error) {
    throw new Failure(
      'The Nu HTML checker needs Java: install it (Debian: `apt-get install default-jre-headless`), then run it again.',
    )
  }
  return JSON.parse(stderr)
    .messages.filter(({ type, subType }) => type === 'error' || subType === 'warning')
    .filter(({ url, message }) => !(GUESS.test(message) && url.includes('/sheet-full')))
    .map(({ url, lastLine, message, extract }) => {
      const page = decodeURIComponent(url.split('/').at(-1) ?? '').replace(/\.html$/, '')
      return `${page}, line ${lastLine}: ${message} ${extract?.replaceAll('\n', ' ') ?? ''}`
    })
}
