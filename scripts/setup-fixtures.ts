import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommand } from '../lab/updates/users.ts'
import { localNode, root } from './local-node.mjs'
import { copyBuild, copyProject } from './testing/copy-project.mjs'
import { freePort } from './testing/free-port.mjs'

/** What is said where this machine is slow. */
const PROGRESS = /^ {2}\d+ s: .+…\n/gm

type Ended = { code: number | null; output: string }

/**
 * A copy of this project in which only builds and npm are fake. A fake build copies the real one and renames its scripts,
 * styles and server chunks, as a change of the sources would do; `site/version.txt` stands for the sources.
 */
export function projectCopy() {
  const place = mkdtempSync(join(tmpdir(), 'rsvp-setup-'))
  const parts = ['package.json', 'package-lock.json', '.npmrc', '.env.example', 'tsconfig.json', 'scripts', 'cli', 'db']
  copyProject(parts, place)
  copyBuild(join(place, 'real'))
  writeFileSync(join(place, 'scripts/build/build-cli.mjs'), fakeCommandBuild)
  linkPackages(place)
  const bin = join(place, 'npm')
  mkdirSync(bin)
  writeFileSync(join(bin, 'npm'), npm, { mode: 0o755 })
  mkdirSync(join(place, 'site'))
  const temporary = join(place, 'temporary')
  mkdirSync(temporary)

  const node = localNode()
  const started: { kill(): void; ended: Promise<Ended> }[] = []
  const setup = (...words: string[]) => startProcess([node, join(place, 'scripts/setup.mjs'), ...words])
  function startProcess([program = node, ...words]: string[], variables: Record<string, string> = {}) {
    const { NODE_ENV: _, ...env } = process.env
    // Temporary files of a killed setup are deleted with the project.
    const own = { PATH: `${bin}:${env.PATH}`, TMPDIR: temporary }
    const options = { cwd: place, env: { ...env, ...own, ...variables }, detached: true } as const
    const child = spawn(program, words, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
    const ended = new Promise<Ended>((resolve) =>
      child.once('close', (code) => resolve({ code, output: output.replace(PROGRESS, '') })),
    )
    // The process group: a setup killed alone would leave its child processes running.
    const kill = () => {
      if (child.exitCode === null && child.signalCode === null && child.pid) process.kill(-child.pid, 'SIGKILL')
    }
    started.push({ kill, ended })
    return { ended, kill, output: () => output }
  }

  return {
    place,
    change: (version: string) => writeFileSync(join(place, 'site/version.txt'), version),
    /** Locks another version of a package than the installed one. */
    changePackages: () => {
      const file = join(place, 'package-lock.json')
      const locked = readFileSync(file, 'utf8')
      writeFileSync(
        file,
        locked.replace(/(?<="version": "5\.12\.)\d+/, (patch) => `${Number(patch) + 1}`),
      )
    },
    startSetup: setup,
    setup: (...words: string[]) => setup(...words).ended,
    /** With node_modules as a mounted folder, for this process alone. */
    setupWherePackagesAreMounted: (...words: string[]) =>
      startProcess([
        ...['unshare', '--mount', 'sh', '-c', 'mount --bind node_modules node_modules && exec "$@"', 'sh'],
        ...[node, join(place, 'scripts/setup.mjs'), ...words],
      ]).ended,
    /** Runs the command to its end. */
    rsvp: (...words: string[]) => runCommand(place, words),
    /** The site of the current build, as `npm start` starts it. */
    startSite: async () => {
      const port = String(await freePort())
      const site = startProcess([node, join(place, 'dist/server/entry.mjs')], {
        PORT: port,
        DATABASE_URL: `file:${place}/data/rsvp.db`,
      })
      while (!site.output().includes('ready at')) {
        if (site.output().includes('Error')) throw new Error(site.output())
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      return { ...site, url: `http://127.0.0.1:${port}` }
    },
    remove: async () => {
      for (const { kill } of started) kill()
      // A process that still writes into the folder would make its removal fail.
      await Promise.all(started.map(({ ended }) => ended))
      rmSync(place, { recursive: true, force: true })
    },
  }
}

function linkPackages(place: string): void {
  const real = join(root, 'node_modules')
  const packages = join(place, 'node_modules')
  mkdirSync(join(packages, '.bin'), { recursive: true })
  for (const name of readdirSync(real)) {
    if (name !== '.bin' && name !== 'astro' && name !== '.rsvp-installed') {
      symlinkSync(join(real, name), join(packages, name))
    }
  }
  writeFileSync(join(packages, '.rsvp-installed'), readFileSync(join(real, '.rsvp-installed')))
  symlinkSync(localNode(), join(packages, '.bin/node'))
  mkdirSync(join(packages, 'astro'))
  writeFileSync(join(packages, 'astro/package.json'), '{ "bin": "build.cjs" }')
  writeFileSync(join(packages, 'astro/build.cjs'), fakeBuild)
}

/**
 * A fake npm: copies the packages that are there, unless node_modules exists. The file `no-network` makes it fail, and
 * `npm-dry-run` makes it succeed without installing anything.
 */
const npm = `#!/bin/sh
place=\${PWD%/.install.tmp}
test -e "$place/no-network" && { echo 'npm error network' >&2; exit 1; }
test -e "$place/npm-dry-run" && exit
test -d node_modules || { mkdir node_modules && sleep 0.5 && cp -a "$place/node_modules/." node_modules/; }
`

const fakeCommandBuild = `
import { cpSync } from 'node:fs'
import { next } from './builds.mjs'
cpSync('real/cli', next + '/cli', { recursive: true })
`

const fakeBuild = `
const { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const next = 'builds/next'
const version = readFileSync('site/version.txt', 'utf8')
if (version.includes('broken')) {
  console.error('site/pages/share.astro:3:1 Expected ">"')
  process.exit(1)
}
cpSync('real/server', join(next, 'server'), { recursive: true })
cpSync('real/client', join(next, 'client'), { recursive: true })
const filesOf = (folder, ending) => readdirSync(join(next, folder)).filter((name) => ending.test(name))
const renamed = new Map()
for (const [folder, ending] of [['client/assets', /\\.(js|css)$/], ['server/chunks', /\\.mjs$/]]) {
  for (const name of filesOf(folder, ending)) renamed.set(name, version + '-' + name)
}
for (const name of filesOf('client/assets', /\\.(br|gz)$/)) rmSync(join(next, 'client/assets', name))
for (const folder of ['server', 'server/chunks', 'client/assets']) {
  for (const name of filesOf(folder, /\\.(js|mjs|css)$/)) {
    const text = readFileSync(join(next, folder, name), 'utf8')
    const changed = text.replace(/[\\w.-]+\\.(js|mjs|css)\\b/g, (name) => renamed.get(name) ?? name)
    rmSync(join(next, folder, name))
    writeFileSync(join(next, folder, renamed.get(name) ?? name), changed)
  }
}
if (version.includes('stillborn')) writeFileSync(join(next, 'server/entry.mjs'), 'throw new Error("no such module")')
`
