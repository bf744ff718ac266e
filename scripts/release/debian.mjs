// Makes the package for Debian and its derivatives. It contains the release, whose own command installs the service.
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemEnvironment } from '../local-node.mjs'
import { Failure, run } from '../run.mjs'

const architectures = { 'linux-x64': 'amd64', 'linux-arm64': 'arm64' }

/** The folder of the package. The service runs from a copy, so that the next package does not change a running site. */
const PLACE = 'usr/lib/rsvp'

/**
 * Returns the file, or nothing if this system has no dpkg-deb.
 * @param {{ platform: string, version: string, time: Date, folder: string, place: string }} release
 */
export async function packForDebian({ platform, version, time, folder, place }) {
  if ((await run('dpkg-deb', ['--version'], systemEnvironment())).code !== 0) return []
  const tree = join(place, `debian-${platform}`)
  mkdirSync(join(tree, 'DEBIAN'), { recursive: true })
  cpSync(folder, join(tree, PLACE), { recursive: true, verbatimSymlinks: true })
  const architecture = architectures[platform]
  // Debian sorts a tilde before everything else: 0.2.0~dev.3 comes before 0.2.0.
  const control = controlOf({ version: version.replace('-', '~'), architecture, size: sizeOf(tree) })
  writeFileSync(join(tree, 'DEBIAN', 'control'), control)
  for (const [name, text] of Object.entries(scripts)) writeFileSync(join(tree, 'DEBIAN', name), text, { mode: 0o755 })
  // Every account may read and run a program, and only its owner may change it.
  await run('chmod', ['-R', 'u=rwX,go=rX', tree], systemEnvironment())
  const file = join(place, `rsvp_${version.replace('-', '~')}_${architecture}.deb`)
  const words = ['--build', '--root-owner-group', '-Zgzip', tree, file]
  const environment = { ...systemEnvironment(), SOURCE_DATE_EPOCH: String(time.getTime() / 1000) }
  const { code, output } = await run('dpkg-deb', words, environment)
  if (code !== 0) throw new Failure(`${output.trim()}\nThe package for Debian could not be made, see above.`)
  rmSync(tree, { recursive: true })
  return existsSync(file) ? [file] : []
}

const controlOf = ({ version, architecture, size }) => `Package: rsvp
Version: ${version}
Architecture: ${architecture}
Maintainer: the RSVP contributors <rsvp@localhost>
Installed-Size: ${Math.ceil(size / 1024)}
Depends: libc6 (>= 2.28), libstdc++6, systemd, passwd
Recommends: ca-certificates
Suggests: caddy, fonts-noto-core, fonts-noto-cjk
Section: web
Priority: optional
Description: RSVP site of a weekly worship service
 Visitors open a link on their phone, see what happens this week and say
 yes or no for the whole family. The clerk sees who is coming.
`

/** Each calls the command, which knows what is installed and what is missing. */
const scripts = {
  postinst: `#!/bin/sh
set -e
[ "$1" = configure ] || exit 0
[ -d /run/systemd/system ] || { echo 'rsvp: no systemd is running here: start the site with /${PLACE}/cli/rsvp serve'; exit 0; }
if [ -z "$(ls /etc/rsvp/*.env 2>/dev/null)" ]; then exec /${PLACE}/cli/rsvp service install --yes; fi
# A newer package is tried on a copy of each database; if it fails, the previous release keeps running.
if [ -e /opt/rsvp/current ]; then exec /${PLACE}/cli/rsvp update --yes; fi
for settings in /etc/rsvp/*.env; do
  site=\${settings##*/}
  /${PLACE}/cli/rsvp service install --yes --site "\${site%.env}"
done
`,
  prerm: `#!/bin/sh
set -e
[ "$1" = remove ] || exit 0
for settings in /etc/rsvp/*.env; do
  [ -e "$settings" ] || continue
  site=\${settings##*/}
  /${PLACE}/cli/rsvp service uninstall --yes --site "\${site%.env}"
done
`,
  // The compile cache of the command.
  postrm: `#!/bin/sh
set -e
[ "$1" = upgrade ] || rm -rf /${PLACE}
`,
}

function sizeOf(tree) {
  const entries = readdirSync(tree, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return entries.reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
}
