import { statSync } from 'node:fs'
// Imported as a whole: an older Node, which the message below is for, lacks some of its exports.
import * as modules from 'node:module'
import { join } from 'node:path'

/** Exit code for what cannot work (sysexits.h, EX_CONFIG): a service manager should not retry. */
const EXIT_CONFIGURATION = 78

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 12)) {
  process.stderr.write(
    `The site needs Node 22.12 or newer and found ${process.version}: start it with \`npm start\` or \`rsvp serve\`, ` +
      'which bring their own, or install Node 24 from nodejs.org.\n',
  )
  process.exit(EXIT_CONFIGURATION)
}

const build = join(import.meta.dirname, '..')
// Reuses code that Node compiled at an earlier start. The cache is in the folder of its build; the setup fills it when
// it tries the build. Only the account that built uses it, and only that account can write to it.
if (!process.getuid || process.getuid() === statSync(build).uid) {
  process.umask(process.umask() | 0o022)
  modules.enableCompileCache(join(build, 'cache'))
}
await import('./main.ts')
