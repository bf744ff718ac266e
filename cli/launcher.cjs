// Loads the built command line. In old JavaScript, so that a Node that is too old can run it and say so.
'use strict'

const { existsSync, realpathSync, statSync } = require('node:fs')
const modules = require('node:module')
const { dirname, join } = require('node:path')
const { pathToFileURL } = require('node:url')

const root = dirname(__dirname)
const linked = join(root, 'dist', 'cli')
// The build in use now, even if another one replaces it meanwhile.
const built = existsSync(linked) ? realpathSync(linked) : linked
const program = join(built, 'rsvp.js')
const [major, minor] = process.versions.node.split('.').map(Number)

if (!existsSync(program)) {
  refuse(`rsvp is not built yet: run \`npm start\` or \`node scripts/setup.mjs\` once in ${root}.`)
} else if (major < 22 || (major === 22 && minor < 12)) {
  // As for a wrong setting: a service manager should not retry.
  refuse(`rsvp needs Node 22.12 or newer and found ${process.version}: install Node 24 from nodejs.org.`, 78)
} else {
  // Everything it creates is for this account only: exports, a database, this cache of compiled code.
  process.umask(process.umask() | 0o077)
  // The site's account could neither read nor replace a cache that root wrote.
  if (!process.getuid || process.getuid() === statSync(built).uid) modules.enableCompileCache(join(built, 'cache'))
  import(pathToFileURL(program).href)
}

function refuse(sentence, exitCode = 1) {
  process.stderr.write(`${sentence}\n`)
  process.exitCode = exitCode
}
