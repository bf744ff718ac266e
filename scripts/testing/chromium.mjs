// Finds the browser for the tests: Chromium's headless shell, or else an installed Chromium or Chrome. Where there is none,
// this installs Debian's shell when it may: the same engine without a window, in which a test costs half.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../run.mjs'
import { installDebian, mayInstall } from './debian.mjs'

const SHELL = 'chromium-headless-shell'
const ADVICE = 'install Chromium or Google Chrome, or set CHROMIUM_PATH to one, then run `npm test` again.'

/** The path of an installed browser, if there is one. CHROMIUM_PATH comes first. */
export function findChromium() {
  return installedChromiums()[0]
}

export function installedChromiums() {
  return places().filter((path) => path && existsSync(path))
}

export async function chromium() {
  const chosen = process.env.CHROMIUM_PATH
  if (chosen && !existsSync(chosen)) throw new Failure(`CHROMIUM_PATH is ${chosen}, and there is no such file.`)
  const found = findChromium()
  if (found) return found
  if (!mayInstall()) throw new Failure(`The tests in a browser found none: ${ADVICE}`)
  return installChromium()
}

async function installChromium() {
  let said = ''
  // Older Debians have no package of the shell alone.
  for (const name of [SHELL, 'chromium']) {
    said = await installDebian(name)
    const installed = findChromium()
    if (installed) return installed
  }
  throw new Failure(`${said}\napt-get did not bring a browser: ${ADVICE}`)
}

function places() {
  if (process.platform === 'darwin') {
    const names = ['Google Chrome', 'Chromium']
    const folders = ['/Applications', join(process.env.HOME ?? '', 'Applications')]
    return [
      process.env.CHROMIUM_PATH,
      ...folders.flatMap((folder) => names.map((name) => `${folder}/${name}.app/Contents/MacOS/${name}`)),
    ]
  }
  if (process.platform === 'win32') {
    const folders = [process.env.PROGRAMFILES, process.env['PROGRAMFILES(X86)'], process.env.LOCALAPPDATA].filter(
      Boolean,
    )
    const programs = ['Google\\Chrome\\Application\\chrome.exe', 'Chromium\\Application\\chrome.exe']
    return [process.env.CHROMIUM_PATH, ...folders.flatMap((folder) => programs.map((program) => join(folder, program)))]
  }
  const names = [SHELL, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
  return [
    process.env.CHROMIUM_PATH,
    ...names.map((name) => `/usr/bin/${name}`),
    '/opt/google/chrome/chrome',
    '/snap/bin/chromium',
  ]
}
