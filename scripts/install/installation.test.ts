import { spawnSync } from 'node:child_process'
import { existsSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { projectCopy } from '../setup-fixtures.ts'

const mountsFolders = spawnSync('unshare', ['--mount', 'mount', '--bind', '/tmp', '/tmp']).status === 0

let project: ReturnType<typeof projectCopy>
beforeAll(() => {
  project = projectCopy()
})
afterAll(() => project.remove())

const packages = () => statSync(join(project.place, 'node_modules')).ino
const isInstalled = async () => (await project.setup('--install-only')).output === ''

describe('installing packages', () => {
  beforeEach(() => project.changePackages())

  it('swaps the folder of the current ones', async () => {
    const before = packages()
    expect(await project.setup('--install-only')).toMatchObject({ code: 0 })
    expect(packages()).not.toBe(before)
    expect(await isInstalled()).toBe(true)
  })

  it('installs into a mounted folder, and says so', async ({ skip }) => {
    skip(!mountsFolders, 'Only root can mount folders, and not in every container.')
    const before = packages()
    const { code, output } = await project.setupWherePackagesAreMounted('--install-only')
    expect({ code, output }).toEqual({
      code: 0,
      output: expect.stringContaining('node_modules cannot be moved, probably because it is a mounted folder: '),
    })
    expect(packages()).toBe(before)
    expect(existsSync(join(project.place, '.install.tmp'))).toBe(false)
    expect(await isInstalled()).toBe(true)
  })

  it('puts the current ones back where npm installed nothing', async () => {
    const before = packages()
    const dryRun = join(project.place, 'npm-dry-run')
    writeFileSync(dryRun, '')
    expect(await project.setup('--install-only')).toEqual({
      code: 1,
      output: expect.stringMatching(
        /^The new packages could not replace the current ones \(ENOENT\), which stay\. npm installed nothing: .+ dry-run .+$/m,
      ),
    })
    expect(packages()).toBe(before)
    expect(realpathSync(join(project.place, 'node_modules/fastify'))).toBe(realpathSync('node_modules/fastify'))
    rmSync(dryRun)
    expect(await project.setup('--install-only')).toMatchObject({ code: 0 })
    expect(await isInstalled()).toBe(true)
  })

  it('says why there are none where there were none before', async () => {
    const [used, away] = ['node_modules', 'away'].map((name) => join(project.place, name)) as [string, string]
    const dryRun = join(project.place, 'npm-dry-run')
    writeFileSync(dryRun, '')
    renameSync(used, away)
    const { code, output } = await project.setup('--install-only')
    renameSync(away, used)
    rmSync(dryRun)
    expect({ code, output }).toEqual({
      code: 1,
      output: expect.stringMatching(/\nnpm installed nothing: .+ dry-run .+\n$/),
    })
  })
})
