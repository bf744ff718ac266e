// Finds the browser for the tests: Chromium's headless shell, which Debian has as a package and this installs when it may,
// or else an installed Chromium or Chrome. The shell is the same engine without a window, and a test in it costs half.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Failure, run } from '../run.mjs'

const SHELL = 'chromium-headless-shell'
const ADVICE = 'install Chromium or Google Chrome, or set CHROMIUM_PATH to one, then run `npm test` again.'

/** The path of an installed browser, if there is one. CHROMIUM_PATH comes first. */
export function findChromium() {
  return places().find((path) => path && existsSync(path))
}

export async function chromium() {
  const chosen = process.env.CHROMIUM_PATH
  if (chosen && !existsSync(chosen)) throw new Failure(`CHROMIUM_PATH is ${chosen}, and there is no such file.`)
  const found = findChromium()
  if (chosen || found?.endsWith(SHELL)) return found
  if (mayInstall()) return installChromium(found)
  if (!found) throw new Failure(`The tests in a browser found none: ${ADVICE}`)
  return found
}

function mayInstall() {
  return process.platform === 'linux' && process.getuid() === 0 && existsSync('/usr/bin/apt-get')
}

/** @param {string | undefined} found the browser to use if the shell cannot be installed. */
async function installChromium(found) {
  console.error('Installing Chromium for the tests (apt-get)…')
  // A new list of packages takes long, and may need the network: not where there is a browser.
  if (!found) await aptGet('update')
  let { output } = await aptInstall(SHELL)
  if (!findChromium()) ({ output } = await aptInstall('chromium'))
  const installed = findChromium()
  if (!installed)
    throw new Failure(`${output.trim().split('\n').slice(-20).join('\n')}\napt-get did not bring a browser: ${ADVICE}`)
  return installed
}

const aptInstall = (name) => aptGet('install', '--yes', '--no-install-recommends', '--no-remove', name)
const aptGet = (...words) => run('apt-get', words, { ...process.env, DEBIAN_FRONTEND: 'noninteractive' })

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
