// Finds the browser for the tests: an installed Chromium or Chrome, or else Debian's package, which it installs when it may.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Failure, run } from '../run.mjs'

/** The path of an installed Chromium or Chrome, if there is one. CHROMIUM_PATH comes first. */
export function findChromium() {
  return places().find((path) => path && existsSync(path))
}

export async function chromium() {
  const chosen = process.env.CHROMIUM_PATH
  if (chosen && !existsSync(chosen)) throw new Failure(`CHROMIUM_PATH is ${chosen}, and there is no such file.`)
  return findChromium() ?? (await installChromium())
}

async function installChromium() {
  const advice = 'install Chromium or Google Chrome, or set CHROMIUM_PATH to one, then run `npm test` again.'
  if (process.platform !== 'linux' || process.getuid() !== 0 || !existsSync('/usr/bin/apt-get')) {
    throw new Failure(`The tests in a browser found none: ${advice}`)
  }
  console.error('Installing Chromium for the tests (apt-get)…')
  const quiet = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  await run('apt-get', ['update'], quiet)
  const { output } = await run('apt-get', ['install', '--yes', '--no-install-recommends', 'chromium'], quiet)
  const found = findChromium()
  if (!found)
    throw new Failure(`${output.trim().split('\n').slice(-20).join('\n')}\napt-get did not bring a browser: ${advice}`)
  return found
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
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
  return [
    process.env.CHROMIUM_PATH,
    ...names.map((name) => `/usr/bin/${name}`),
    '/opt/google/chrome/chrome',
    '/snap/bin/chromium',
  ]
}
