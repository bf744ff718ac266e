import { statSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

const build = join(import.meta.dirname, '..')
// Loads the site with what Node compiled at an earlier start. The cache is in the folder of its build and goes with it; the
// setup fills it when it proves the build. Only the account that built uses it, and only that account can write into it.
if (!process.getuid || process.getuid() === statSync(build).uid) {
  process.umask(process.umask() | 0o022)
  enableCompileCache(join(build, 'cache'))
}
await import('./main.ts')
