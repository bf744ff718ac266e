// Makes package-lock.json installable on all platforms: adds the optional packages that `npm install` left out.
//
// The registry in use may lack some optional packages of other platforms. `npm install` then drops them from the
// lockfile, and `npm ci` refuses it ("Missing … from lock file"). Remove this when npm/cli issue 9846 is closed.
//
// It also asks the registry for the hash of each package that has none: without it npm would install whatever a registry
// serves. A package that the registry lacks gets none, and the check fails until the script has run where it is known.
// Run it after every change of the lockfile. `--check` changes nothing and fails if there is something to do.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './local-node.mjs'

const systems = 'win32 darwin linux android freebsd openbsd netbsd openharmony sunos aix'.split(' ')
const processors = 'x64 arm64 arm ia32 ppc64 riscv64 s390x loong64 mips64el wasm32'.split(' ')

const file = join(root, 'package-lock.json')
const lock = JSON.parse(readFileSync(file, 'utf8'))
const addresses = removeAddresses(lock.packages)
const stubs = addStubs(lock.packages)
// These do not name their C library, so npm would install both.
for (const [path, entry] of Object.entries(lock.packages)) if (path.endsWith('-musl')) entry.libc ??= ['musl']
const unhashed = Object.entries(lock.packages).filter(
  ([path, { integrity, link }]) => path !== '' && !integrity && !link,
)
if (addresses + unhashed.length > 0 && process.argv.includes('--check')) {
  console.error(
    `package-lock.json lacks ${stubs} optional platform packages and ${unhashed.length} hashes, and holds ${addresses} ` +
      'registry addresses: run `node scripts/lockfile-stubs.mjs` and commit the result.',
  )
  process.exitCode = 1
} else if (addresses + unhashed.length > 0) {
  for (const [path, entry] of unhashed) entry.integrity = integrityOf(path, entry)
  lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)))
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
  console.error(
    `package-lock.json: added ${stubs} stubs and ${unhashed.length} hashes, removed ${addresses} registry addresses.`,
  )
}

function removeAddresses(packages) {
  const named = Object.values(packages).filter((entry) => entry.resolved)
  for (const entry of named) delete entry.resolved
  return named.length
}

function addStubs(packages) {
  let added = 0
  for (const [path, entry] of Object.entries(packages)) {
    for (const [name, range] of Object.entries(entry.optionalDependencies ?? {})) {
      if (isLocked(packages, path, name)) continue
      packages[`node_modules/${name}`] = stub(name, range, entry.dev)
      added++
    }
  }
  return added
}

/** Looks for a package as Node does: inside the package that imports it, then one level up, and so on. */
function isLocked(packages, path, name) {
  for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    if (packages[`${folder && `${folder}/`}node_modules/${name}`]) return true
    if (folder === '') return false
  }
}

function stub(name, range, dev) {
  const words = name.split('/').at(-1).split('-')
  const system = words.find((word) => systems.includes(word))
  const processor = words.find((word) => processors.includes(word))
  if (!processor) throw new Error(`${name} is missing from package-lock.json and is no platform package.`)
  const entry = { version: range.replace(/^[\^~]/, ''), cpu: [processor] }
  if (dev) entry.dev = true
  if (words.some((word) => word.startsWith('musl'))) entry.libc = ['musl']
  else if (words.some((word) => word.startsWith('gnu'))) entry.libc = ['glibc']
  entry.optional = true
  if (system) entry.os = [system]
  return entry
}

/** As the registry says it; undefined for a package that it lacks. */
function integrityOf(path, { name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length), version }) {
  try {
    return execFileSync('npm', ['view', `${name}@${version}`, 'dist.integrity'], { encoding: 'utf8' }).trim()
  } catch {
    console.error(`The registry lacks ${name}@${version}: it stays without a hash.`)
    return undefined
  }
}
