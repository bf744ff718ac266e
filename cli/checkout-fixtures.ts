import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { projectRoot } from '#db/config/places.ts'
import { PROGRESS } from '../scripts/setup-fixtures.ts'
import { copyBuild, copyProject } from '../scripts/testing/copy-project.mjs'
import { freePort } from '../scripts/testing/free-port.mjs'
import { withOverrides } from '../scripts/testing/overrides.mjs'
import { testFolder } from './fixtures.ts'
import { stopSite } from './running-service-fixtures.ts'
import { nameVersion, spoil } from './sources-fixtures.ts'

const { folder } = testFolder()

/** What is needed to build the site. */
const settings = ['package.json', 'package-lock.json', '.npmrc', '.env.example', '.gitignore', 'tsconfig.json']
const parts = [...settings, 'astro.config.mjs', 'scripts', 'cli', 'db', 'site']

/** Starts and stops the site as systemd does it with a unit that we print: the restart does not wait for the site. */
const systemctl = `#!/bin/sh
${stopSite}runs() {
  kill -0 "$(cat "$SYSTEM/pid" 2>/dev/null)" 2>/dev/null
}
case "$*" in
  *MainPID*) if runs; then cat "$SYSTEM/pid"; else echo 0; fi ;;
  show*rsvp.service*) echo "WorkingDirectory=$SYSTEM/site"; if runs; then echo ActiveState=active; else echo ActiveState=failed; fi ;;
  stop*) stop ;;
  restart*)
    stop
    "$SYSTEM/site/cli/rsvp" serve > "$SYSTEM/log" 2>&1 &
    echo $! > "$SYSTEM/pid" ;;
esac
`

/** A clone of the project with version 0.2.0 in use, whose site really runs as a service, and the repository behind it. */
export async function runningCheckout() {
  const root = realpathSync(folder)
  const [work, remote, site, tools] = ['work', 'remote.git', 'site', 'tools'].map((name) => join(root, name)) as Places
  copyProject(parts, work)
  const name = { GIT_AUTHOR_NAME: 'Ana', GIT_AUTHOR_EMAIL: 'ana@example.org' }
  const committer = { GIT_COMMITTER_NAME: 'Ana', GIT_COMMITTER_EMAIL: 'ana@example.org' }
  const overrides = withOverrides({ UPDATE_WATCH_MS: 1000 })
  const own = { SYSTEM: root, HOME: root, PATH: `${tools}:/usr/bin:/bin` }
  const env = { ...overrides, ...name, ...committer, ...own }

  function run(cwd: string, program: string, ...words: string[]) {
    const { status, stdout, stderr } = spawnSync(program, words, { cwd, env, encoding: 'utf8' })
    return {
      code: status,
      stdout: stdout.replaceAll(root, ''),
      stderr: stderr.replaceAll(root, '').replace(PROGRESS, ''),
    }
  }
  function git(cwd: string, ...words: string[]): string {
    const { code, stdout, stderr } = run(cwd, 'git', ...words)
    if (code !== 0) throw new Error(stderr)
    return stdout.trim()
  }
  /** Publishes a version that follows 0.2.0. */
  function publish(version: string, kind: keyof typeof spoil = 'good'): void {
    if (version !== '0.2.0') git(work, 'checkout', '--quiet', '-B', 'main', 'v0.2.0')
    spoil[kind](work)
    // The first one stays as it is: this project is built already.
    if (version !== '0.2.0') nameVersion(work, version)
    git(work, 'add', '--all')
    git(work, 'commit', '--quiet', '--message', version)
    git(work, 'tag', `v${version}`)
    git(work, 'push', '--quiet', '--force', remote, 'main', '--tags')
  }

  git(work, 'init', '--quiet', '--initial-branch=main')
  git(root, 'init', '--quiet', '--bare', '--initial-branch=main', remote)
  publish('0.2.0')
  git(root, 'clone', '--quiet', remote, site)
  linkPackages(site)
  installBuild(site)
  const port = await freePort()
  writeFileSync(join(site, '.env'), `PORT=${port}\n`)
  mkdirSync(tools)
  writeFileSync(join(tools, 'systemctl'), systemctl, { mode: 0o755 })
  const built = run(site, process.execPath, 'scripts/setup.mjs')
  if (built.code !== 0) throw new Error(built.stderr)
  const url = `http://127.0.0.1:${port}`
  run(site, 'systemctl', 'restart', 'rsvp.service')
  while (!readFileSync(join(root, 'log'), 'utf8').includes('is ready')) await wait(20)

  return {
    site,
    url,
    git: (...words: string[]) => git(site, ...words),
    publish,
    /** Runs the command of the checkout; `words` as in a shell. */
    rsvp: (words: string) => run(site, join(site, 'cli/rsvp'), ...words.split(' ')),
    /** The version of the build that the running site uses. */
    runningVersion() {
      const id = readFileSync(join(root, 'pid'), 'utf8').trim()
      if (!existsSync(join(site, 'dist', `.used-by-${id}`))) return 'another build'
      return run(site, join(site, 'cli/rsvp'), '--version').stdout.trim()
    },
    stop: () => void run(site, 'systemctl', 'stop', 'rsvp.service'),
    /** No network. */
    hideRemote: () => renameSync(remote, `${remote}.away`),
    showRemote: () => renameSync(`${remote}.away`, remote),
  }
}

/** Each by itself: what a build keeps beside the packages is not that of this project. */
function linkPackages(site: string): void {
  const [real, packages] = [projectRoot, site].map((place) => join(place, 'node_modules')) as [string, string]
  mkdirSync(packages)
  for (const name of readdirSync(real)) {
    if (!/^\.(vite|astro)/.test(name)) symlinkSync(join(real, name), join(packages, name))
  }
}

function installBuild(site: string): void {
  const current = realpathSync(join(projectRoot, 'dist'))
  copyBuild(join(site, 'builds', basename(current)))
  symlinkSync(join('builds', basename(current)), join(site, 'dist'))
}

type Places = [string, string, string, string]
