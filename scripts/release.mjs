// Makes a release: the package of npm, and for each platform an archive that runs as it is, with its own Node.
//
// `npm run release` writes them into the folder `release`, with checksums, a list of their parts and the changes. `--
// --platform linux-x64` makes one of them, `-- --key FILE` signs them. docs/releasing.md describes the whole process.
import { createPrivateKey, createPublicKey } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { extract } from 'tar'
import { root, systemEnvironment } from './local-node.mjs'
import { pack, signChecksums, writeChecksums } from './release/archive.mjs'
import { packForDebian } from './release/debian.mjs'
import { asReleased, bundledParts, installedParts, licenseTexts, sbomOf, sorted } from './release/parts.mjs'
import { proveUnpacked } from './release/prove.mjs'
import { stage } from './release/stage.mjs'
import { changesOf, versionToRelease } from './release/version.mjs'
import { Failure, finish, run } from './run.mjs'

const platforms = ['linux-x64', 'linux-arm64']
const place = join(root, 'release')
/** The public key in a release, under the name that cli/service/release.ts looks for. */
const PUBLIC_KEY = 'release-key.pem'

finish(async () => {
  const options = { platform: { type: 'string', multiple: true, default: platforms }, key: { type: 'string' } }
  const { values } = parseArgs({ options })
  const unknown = values.platform.find((platform) => !platforms.includes(platform))
  if (unknown !== undefined) throw new Failure(`There is no release for ${unknown}: give ${platforms.join(' or ')}.`)
  const key = readKey(values.key)
  const { version, time, tag } = await versionToRelease()
  if (tag === undefined) console.error(`This commit has no tag, so this is ${version}, for trying it out.`)
  rmSync(place, { recursive: true, force: true })
  mkdirSync(place)
  const archive = await packForNpm({ version, time, key })
  const made = [archive]
  for (const platform of values.platform) made.push(...(await releaseFor(platform, { version, time, archive })))
  const changes = join(place, `rsvp-${version}-changes.md`)
  writeFileSync(changes, changesOf(join(root, 'CHANGELOG.md'), tag === undefined ? 'Unreleased' : version))
  made.push(changes)
  writeChecksums(made, join(place, 'SHA256SUMS'))
  if (key !== undefined) signChecksums(join(place, 'SHA256SUMS'), key)
  for (const file of made) console.log(file.slice(root.length + 1))
})

function readKey(file) {
  if (!file) {
    console.error(
      'This release is not signed: `rsvp update` will refuse it without --unsigned. Create a key once, and keep it away from ' +
        'this computer: `openssl genpkey -algorithm ed25519 -out KEY.pem`. Then: npm run release -- --key KEY.pem',
    )
    return undefined
  }
  try {
    const key = createPrivateKey(readFileSync(file))
    if (key.asymmetricKeyType === 'ed25519') return key
  } catch {
    // The message below fits every cause.
  }
  throw new Failure(
    `${file} is not an Ed25519 key: create one with \`openssl genpkey -algorithm ed25519 -out KEY.pem\`.`,
  )
}

async function packForNpm({ version, time, key }) {
  const staged = join(place, 'package')
  stage(staged, version)
  if (key !== undefined) {
    writeFileSync(join(staged, PUBLIC_KEY), createPublicKey(key).export({ type: 'spki', format: 'pem' }))
  }
  const archive = join(place, `rsvp-${version}.tgz`)
  await pack(staged, archive, time)
  rmSync(staged, { recursive: true })
  return archive
}

async function releaseFor(platform, { version, time, archive }) {
  const name = `rsvp-${version}-${platform}`
  const folder = join(place, name)
  mkdirSync(folder)
  await extract({ file: archive, cwd: folder, strip: 1 })
  await installPackages(platform, folder)
  const parts = sorted([...bundledParts(), ...installedParts(join(folder, 'node_modules'))])
  writeFileSync(join(folder, 'THIRD-PARTY-LICENSES.txt'), licenseTexts(parts))
  const sbom = join(place, `${name}.cdx.json`)
  writeFileSync(sbom, sbomOf({ version, time, parts }))
  const packed = join(place, `${name}.tar.gz`)
  await pack(folder, packed, time)
  // Another platform's cannot run here.
  if (platform === `${process.platform}-${process.arch}`) await proveArchive(packed, version)
  const debian = await packForDebian({ platform, version, time, folder, place })
  rmSync(folder, { recursive: true })
  return [packed, ...debian, sbom]
}

/** The packages that cannot be bundled, and Node, for any platform, in the versions of the project's lockfile. */
async function installPackages(platform, folder) {
  const [os, cpu] = platform.split('-')
  const beside = `${folder}.tmp`
  mkdirSync(beside)
  const [manifest, lock] = ['package.json', 'package-lock.json'].map((name) =>
    JSON.parse(readFileSync(join(root, name), 'utf8')),
  )
  lock.packages[''] = asReleased(lock.packages[''])
  writeFileSync(join(beside, 'package.json'), JSON.stringify(asReleased(manifest)))
  writeFileSync(join(beside, 'package-lock.json'), JSON.stringify(lock))
  const words = ['ci', '--omit=dev', '--ignore-scripts', `--os=${os}`, `--cpu=${cpu}`, '--libc=glibc']
  const { code, output } = await run('npm', words, systemEnvironment(), beside)
  if (code !== 0) throw new Failure(`${output.trim()}\nThe packages for ${platform} could not be installed, see above.`)
  const modules = join(folder, 'node_modules')
  renameSync(join(beside, 'node_modules'), modules)
  rmSync(beside, { recursive: true })
  rmSync(join(modules, '.package-lock.json'), { force: true })
  // Headers for compiling, and manuals.
  const node = join(modules, `node-${platform}`)
  const unused = readdirSync(node).filter((name) => !['bin', 'LICENSE', 'package.json'].includes(name))
  for (const name of unused) rmSync(join(node, name), { recursive: true })
}

async function proveArchive(archive, version) {
  const folder = mkdtempSync(join(tmpdir(), 'rsvp-release-'))
  try {
    await extract({ file: archive, cwd: folder })
    await proveUnpacked(join(folder, basename(archive, '.tar.gz')), version)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
