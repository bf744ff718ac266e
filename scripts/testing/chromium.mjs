// Finds the browser for the tests: Chromium's headless shell, or else an installed Chromium or Chrome. If there is
// none, it tries to install Debian's headless shell, in which tests take half the time.
import { existsSync } from 'node:fs'
import { Failure } from '../run.mjs'
import { findOrInstall } from './debian.mjs'

const { CHROMIUM_PATH, PROGRAMFILES } = process.env
const SHELL = 'chromium-headless-shell'
const ADVICE =
  'The browser tests found no browser: install Chromium or Google Chrome, or set CHROMIUM_PATH to one, then run them again.'

/** Of all systems. */
const places = [
  CHROMIUM_PATH,
  ...[SHELL, 'chromium', 'chromium-browser', 'google-chrome'].map((name) => `/usr/bin/${name}`),
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  `${PROGRAMFILES}\\Google\\Chrome\\Application\\chrome.exe`,
]

/** The path of an installed browser, if there is one. CHROMIUM_PATH comes first. */
export function findChromium() {
  return places.find((path) => path && existsSync(path))
}

export async function chromium() {
  if (CHROMIUM_PATH && !existsSync(CHROMIUM_PATH))
    throw new Failure(`CHROMIUM_PATH is ${CHROMIUM_PATH}, and there is no such file.`)
  // Older Debians have no package of the shell alone.
  return findOrInstall(findChromium, [SHELL, 'chromium'], ADVICE)
}
