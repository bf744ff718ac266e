// Loads the built command line. In plain old JavaScript: on a Node that is too old it has to say so.
'use strict'

const { existsSync, realpathSync, statSync } = require('node:fs')
const modules = require('node:module')
const { dirname, join } = require('node:path')
const { pathToFileURL } = require('node:url')

const root = dirname(__dirname)
const packed = join(root, 'builds', 'packed', 'cli')
// A release has its one build there, because npm packs no links; and so has a checkout while npm packs it.
const linked = existsSync(join(root, 'dist')) || !existsSync(packed) ? join(root, 'dist', 'cli') : packed
// Of the build in use at this moment, also if another one takes its place meanwhile.
const built = existsSync(linked) ? realpathSync(linked) : linked
const program = join(built, 'rsvp.js')
const [major, minor] = process.versions.node.split('.').map(Number)

if (!existsSync(program)) {
  refuse(`rsvp is not built yet: run \`npm start\` or \`node scripts/setup.mjs\` once in ${root}.`)
} else if (major < 22 || (major === 22 && minor < 12)) {
  // As for a wrong setting: a service manager should not retry.
  refuse(`rsvp needs Node 22.12 or newer and found ${process.version}: install Node 24 from nodejs.org.`, 78)
} else {
  // Whatever it makes is for this account only: exports, a database, this cache of compiled code.
  process.umask(process.umask() | 0o077)
  // What root compiled the account of the site could neither read nor replace.
  if (!process.getuid || process.getuid() === statSync(built).uid) modules.enableCompileCache(join(built, 'cache'))
  import(pathToFileURL(program).href)
}

function refuse(sentence, exitCode = 1) {
  process.stderr.write(`${sentence}\n`)
  process.exitCode = exitCode
}
