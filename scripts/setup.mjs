// Installs and builds what is missing or stale; otherwise silent and instant. `npm start` and `npm test` call it first.
//
// Plain JavaScript without dependencies: it runs before anything is installed, on Node 20 and newer.
// `--install-only` skips the build.
import { join } from 'node:path'
import { buildSite, isSiteBuilt } from './build/build-site.mjs'
import { arePackagesInstalled, installPackages } from './install/install-packages.mjs'
import { withLock } from './install/lock.mjs'
import { hasPackagedNode, root } from './local-node.mjs'
import { Failure, finish } from './run.mjs'

const steps = [
  { isDue: () => !arePackagesInstalled(), work: installPackages },
  { isDue: () => !isSiteBuilt(), work: buildSite },
]

finish(async () => {
  refuseOldNode()
  const asked = process.argv.includes('--install-only') ? steps.slice(0, 1) : steps
  // Without work nothing is written, not even the lock, so that a read-only checkout starts.
  if (!asked.some((step) => step.isDue())) return
  await withLock(join(root, '.setup-lock.tmp'), async () => {
    for (const step of asked) if (step.isDue()) await step.work()
  })
})

function refuseOldNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major < 20) {
    throw new Failure(`This needs Node 20 or newer and found ${process.version}: install Node 24 from nodejs.org.`)
  }
  if (!hasPackagedNode && (major < 22 || (major === 22 && minor < 12))) {
    throw new Failure(
      `On ${process.platform} (${process.arch}) this needs Node 22.12 or newer and found ${process.version}: ` +
        'install Node 24 from nodejs.org. Only Linux and Windows get theirs from npm.',
    )
  }
}
