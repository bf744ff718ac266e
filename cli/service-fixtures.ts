import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { vi } from 'vitest'
import { projectRoot } from '#db/config/places.ts'
import { copyBuild, copyProject } from '../scripts/testing/copy-project.mjs'
import { testFolder } from './fixtures.ts'
import { runMain } from './main-fixtures.ts'

const { folder } = testFolder()

/** What belongs to the system and not to us, written down instead of done: accounts, and services. */
const tools = {
  id: `for account; do :; done; grep -qx "$account" "$SYSTEM/accounts" && echo 0`,
  useradd: `for account; do :; done; echo "$account" >> "$SYSTEM/accounts"`,
  userdel: `grep -vx "$1" "$SYSTEM/accounts" > "$SYSTEM/left"; mv "$SYSTEM/left" "$SYSTEM/accounts"`,
  systemctl: `case "$*" in
  --version) echo systemd ;;
  *ActiveState*) cat "$SYSTEM/state" ;;
  *MainPID*) echo 0 ;;
  is-active*) grep -x active "$SYSTEM/state" ;;
  show*) echo @1764000000 ;;
  list-timers*) echo '[{"next":1764000000000000}]' ;;
  *) echo "$*" >> "$SYSTEM/calls"; case "$*" in restart*) echo active ;; *disable*) echo inactive ;; *) cat "$SYSTEM/state" ;; esac > "$SYSTEM/next"; mv "$SYSTEM/next" "$SYSTEM/state" ;;
esac`,
}

/**
 * A release that is unpacked, and a system to install it in, whose root is a folder.
 * @param variables besides those of the system.
 */
export function system(name: string, variables: NodeJS.ProcessEnv = {}) {
  const root = join(folder, name)
  const release = join(root, 'unpacked')
  copyProject(['cli/rsvp', 'cli/launcher.cjs', 'db/migrations', 'package.json', 'LICENSE'], release)
  copyBuild(join(release, 'builds/packed'))
  symlinkSync(join(projectRoot, 'node_modules'), join(release, 'node_modules'))
  writeFileSync(join(release, 'THIRD-PARTY-LICENSES.txt'), '')
  const bin = join(root, 'tools')
  for (const place of [bin, join(root, 'etc/systemd/system')]) mkdirSync(place, { recursive: true })
  for (const [tool, script] of Object.entries(tools)) {
    writeFileSync(join(bin, tool), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  }
  for (const file of ['accounts', 'calls', 'state']) writeFileSync(join(root, file), '')

  const env = { ...variables, SYSTEM: root, RSVP_SYSTEM_ROOT: root, PATH: `${bin}:/usr/bin:/bin` }
  const home = join(root, 'home')
  mkdirSync(home)
  const printed = (text: string) => text.replaceAll(root, '')

  /** Runs the command of the release to its end in this process; `words` as in a shell. */
  async function rsvp(words: string, input = '') {
    process.umask(0o077)
    process.chdir(home)
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
    const { code, stdout, stderr } = await runMain(words.split(' '), { cwd: home, env, input, root: release })
    return { code, stdout: printed(stdout), stderr: printed(stderr) }
  }

  /** The same of another release, in a process of its own. */
  function rsvpProcess(words: string, command: string) {
    const { status, stdout, stderr } = spawnSync(command, words.split(' '), { cwd: home, env, encoding: 'utf8' })
    return { code: status, stdout: printed(stdout), stderr: printed(stderr) }
  }

  return {
    root,
    release,
    env,
    home,
    rsvp,
    rsvpProcess,
    has: (path: string) => existsSync(join(root, path)),
    read: (path: string) => readFileSync(join(root, path), 'utf8').replaceAll(root, ''),
  }
}
