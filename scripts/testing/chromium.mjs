// Finds the browser for the tests: Chromium's headless shell, or else an installed Chromium or Chrome. If there is
// none, it tries to install Debian's headless shell, in which tests take half the time.
import { existsSync } from 'node:fs'
import { Failure } from '../run.mjs'
import { findOrInstall } from './debian.mjs'

const { CHROMIUM_PATH, PROGRAMFILES } = process.env
const SHELL = 'chromium-headless-shell'
const ADVICE = 'There is no browser for the tests: install Chromium or Google Chrome, or set CHROMIUM_PATH to one.'

/** Of all systems. */
const places = [
  ...[SHELL, 'chromium', 'chromium-browser', 'google-chrome'].map((name) => `/usr/bin/${name}`),
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  `${PROGRAMFILES}\\Google\\Chrome\\Application\\chrome.exe`,
]

/** The path of an installed browser, if there is one: that of CHROMIUM_PATH, if it is set. */
export function findChromium() {
  return (CHROMIUM_PATH ? [CHROMIUM_PATH] : places).find((path) => existsSync(path))
}

export function chromium() {
  if (CHROMIUM_PATH && !existsSync(CHROMIUM_PATH))
    throw new Failure(`CHROMIUM_PATH is ${CHROMIUM_PATH}, and there is no such file: correct it, or leave it out.`)
  // Older Debians have no package of the shell alone.
  return findOrInstall(findChromium, [SHELL, 'chromium'], ADVICE)
}
