import { spawnSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '#db/config/places.ts'
import { signChecksums, writeChecksums } from '../scripts/release/archive.mjs'
import { freePort } from '../scripts/testing/free-port.mjs'
import { withOverrides } from '../scripts/testing/overrides.mjs'
import { RELEASE_KEY } from './service/release.ts'
import { system } from './service-fixtures.ts'
import { makeVersion } from './version-fixtures.mjs'

/** In a shell: ends the site whose process id is kept in the root of the system. */
const stopSite = `stop() {
  pid=$(cat "$SYSTEM/pid" 2>/dev/null) || return 0
  kill "$pid" 2>/dev/null
  while kill -0 "$pid" 2>/dev/null; do sleep 0.02; done
  rm -f "$SYSTEM/pid"
}
`

/** Starts and stops the site as systemd does: the restart waits until the site is ready, and fails where it ends before. */
const systemctl = `#!/bin/sh
${stopSite}case "$*" in
  --version) echo systemd ;;
  *ActiveState*) if kill -0 "$(cat "$SYSTEM/pid" 2>/dev/null)" 2>/dev/null; then echo active; else echo failed; fi ;;
  *MainPID*) cat "$SYSTEM/pid" ;;
  show*) echo @1764000000 ;;
  is-active*) echo active ;;
  stop*service*) stop ;;
  restart*)
    stop
    : > "$SYSTEM/log"
    "$SYSTEM/opt/rsvp/current/cli/rsvp" --site main serve >> "$SYSTEM/log" 2>&1 &
    echo $! > "$SYSTEM/pid"
    until grep -q 'is ready' "$SYSTEM/log"; do kill -0 "$!" 2>/dev/null || { cat "$SYSTEM/log" >&2; exit 1; }; sleep 0.02; done ;;
esac
`

/** A system with the release 1.0.0 in use at one site that really runs, and other versions in its home. */
export async function runningSystem(name: string) {
  const made = system(name, withOverrides({ UPDATE_WATCH_MS: 300 }))
  const { root, home, rsvpProcess } = made
  writeFileSync(join(root, 'tools/systemctl'), systemctl, { mode: 0o755 })
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const make = (version: string, kind = 'good') => makeVersion(made.release, join(home, `v${version}`), version, kind)
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  writeFileSync(join(made.release, RELEASE_KEY), publicKey.export({ type: 'spki', format: 'pem' }))
  make('1.0.0')
  const installed = rsvpProcess(`service install --yes --port ${port}`, join(home, 'v1.0.0/cli/rsvp'))
  if (installed.code !== 0) throw new Error(installed.stderr)
  return {
    ...made,
    url,
    make,
    /** Runs the command that is in use; `words` as in a shell. */
    rsvp: (words: string) => rsvpProcess(words, join(root, 'usr/local/bin/rsvp')),
    /** Runs the command of an unpacked version. */
    rsvpOf: (version: string, words: string) => rsvpProcess(words, join(home, `v${version}/cli/rsvp`)),
    pack: (version: string) => packRelease({ root, home }, version),
    /** As `npm run release` does it. */
    sign(archive: string) {
      const list = join(home, 'SHA256SUMS')
      writeChecksums([join(home, archive)], list)
      signChecksums(list, privateKey)
    },
    /** As a crash does it. */
    stop() {
      const pid = readFileSync(join(root, 'pid'), 'utf8')
      process.kill(Number(pid), 'SIGKILL')
    },
    releases: () => readdirSync(join(root, 'opt/rsvp/releases')).sort(),
    send: (visitor: string) => send(url, visitor),
  }
}

/** Packs an unpacked version as a release is packed, and returns the name of the archive. */
function packRelease({ root, home }: { root: string; home: string }, version: string): string {
  const archive = `rsvp-${version}-linux-${process.arch}.tar.gz`
  const modules = join(home, `v${version}`, 'node_modules')
  if (existsSync(modules)) {
    // A release leads to nothing outside: its packages are found above it.
    rmSync(modules)
    mkdirSync(join(modules, '.bin'), { recursive: true })
    const node = `#!/bin/bash\nexec -a "$0" '${process.execPath}' "$@"\n`
    writeFileSync(join(modules, '.bin/node'), node, { mode: 0o755 })
    const above = join(root, 'node_modules')
    if (!existsSync(above)) symlinkSync(join(projectRoot, 'node_modules'), above)
  }
  spawnSync('tar', ['--create', '--gzip', '--file', archive, `v${version}`], { cwd: home })
  rmSync(join(home, `v${version}`), { recursive: true })
  return archive
}

/** Sends an RSVP of a visitor. */
async function send(url: string, visitor: string): Promise<void> {
  const body = JSON.stringify({ name: visitor, email: `${visitor}@example.org`, attending: true })
  // The next restart would close a connection that stays open.
  const headers = { 'content-type': 'application/json', connection: 'close' }
  const reply = await fetch(`${url}/api/rsvp`, { method: 'POST', headers, body })
  if (reply.status !== 201) throw new Error(await reply.text())
}
