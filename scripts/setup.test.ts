import {
  existsSync,
  lstatSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { callCommand, visit } from '../lab/updates/users.ts'
import { projectCopy } from './setup-fixtures.ts'

/** Each kills one setup, then runs two more to their end. `npm run updates` does the same with real builds. */
const KILLS = 1
/** About as long as one takes. */
const SETUP_MS = 1500
/** Between two visits: the setup needs the processor as well. */
const PAUSE_MS = 200

let project: ReturnType<typeof projectCopy>
/** The first build of this test. */
let first = ''
beforeAll(() => {
  project = projectCopy()
})
afterAll(() => project.remove())

const currentBuild = () => realpathSync(join(project.place, 'dist'))
const builds = () => readdirSync(join(project.place, 'builds'))

/** Also stops it where the test fails: it would go on in a deleted project. */
function stopAfterTest<Result>(stop: () => Promise<Result>): () => Promise<Result> {
  onTestFinished(async () => {
    await stop()
  })
  return stop
}

async function assetsOf(url: string): Promise<string[]> {
  const page = await (await fetch(`${url}/share`)).text()
  return Array.from(new Set(page.match(/\/assets\/[\w.-]+\.(css|js)/g)))
}

describe('an update', () => {
  it('takes nothing from a running site, its visitors or the command', async () => {
    project.change('one')
    expect(await project.setup()).toEqual({ code: 0, output: 'Building the site…\n' })
    expect(await project.setup()).toEqual({ code: 0, output: '' })
    expect(lstatSync(join(project.place, 'dist')).isSymbolicLink()).toBe(true)
    first = currentBuild()
    const site = await project.startSite()
    const open = await assetsOf(site.url)
    expect(open.every((path) => path.startsWith('/assets/one-'))).toBe(true)
    const leave = stopAfterTest(visit(site.url, PAUSE_MS))
    const stop = stopAfterTest(callCommand(project.place, PAUSE_MS))
    for (const version of ['two', 'three']) {
      project.change(version)
      expect(await project.setup()).toEqual({ code: 0, output: 'Building the site…\n' })
    }
    const { missed, pages } = await leave()
    expect({ missed, failed: (await stop()).failed }).toEqual({ missed: [], failed: [] })
    expect(pages).toBeGreaterThan(3)
    expect(existsSync(first)).toBe(true)

    const next = await project.startSite()
    expect((await assetsOf(next.url)).every((path) => path.startsWith('/assets/three-'))).toBe(true)
    for (const path of open) expect((await fetch(next.url + path)).status).toBe(200)
    const earlier = join(currentBuild(), 'earlier/assets')
    const long = new Date(Date.now() - 25 * 3600 * 1000)
    for (const name of readdirSync(earlier)) if (name.startsWith('one-')) utimesSync(join(earlier, name), long, long)
    for (const path of open) expect((await fetch(next.url + path)).status).toBe(404)
    for (const running of [site, next]) running.kill()
    await Promise.all([site.ended, next.ended])
  })

  it.each([
    [
      'cannot be built',
      'broken',
      /^Building the site…\nsite\/pages\/share\.astro:3:1 .+\nThe build failed, see above\.\n/,
    ],
    ['does not start', 'stillborn', /no such module[\s\S]+\nThe site of the new build does not start, see above\.\n/],
  ])('that %s leaves the previous build in use, and says what to do', async (_, version, reason) => {
    const before = currentBuild()
    project.change(version)
    const { code, output } = await project.setup()
    expect(code).toBe(1)
    expect(output).toMatch(reason)
    expect(output.split('\n').slice(-3)).toEqual([
      'Fix what it names, then run the same command again.',
      'Until then the previous build stays in use: `npx rsvp serve` starts it.',
      '',
    ])
    expect(currentBuild()).toBe(before)
    expect(await project.rsvp('features')).toMatchObject({ code: 0 })
  })

  it('returns to the previous build without building, where its sources are back', async () => {
    project.change('two')
    expect(await project.setup()).toEqual({ code: 0, output: '' })
    expect(await project.rsvp('features')).toMatchObject({ code: 0 })
    // No process uses the first build any more.
    expect(existsSync(first)).toBe(false)
    const carried = readdirSync(join(currentBuild(), 'earlier/assets')).map((name) => name.split('-')[0])
    expect(carried).toContain('three')
  })

  it('installs other packages beside the current ones, which stay where that fails', async () => {
    project.changePackages()
    writeFileSync(join(project.place, 'no-network'), '')
    const stop = stopAfterTest(callCommand(project.place, PAUSE_MS))
    const { code, output } = await project.setup()
    expect(code).toBe(1)
    expect(output).toMatch(/npm error network\nInstalling failed, see above\. Check the network .+\n$/)
    rmSync(join(project.place, 'no-network'))
    expect(await project.setup()).toMatchObject({ code: 0, output: expect.stringMatching(/^Installing packages/) })
    expect((await stop()).failed).toEqual([])
    expect(existsSync(join(project.place, '.install.tmp'))).toBe(false)
  })

  it('replaces the folder into which older versions were built', async () => {
    const real = currentBuild()
    rmSync(join(project.place, 'dist'))
    renameSync(real, join(project.place, 'dist'))
    const site = await project.startSite()
    expect((await fetch(`${site.url}/api/health`)).status).toBe(200)
    project.change('six')
    expect(await project.setup()).toMatchObject({ code: 0 })
    expect(lstatSync(join(project.place, 'dist')).isSymbolicLink()).toBe(true)
    expect(builds()).toContain('before')
    // The site that still runs from it loads its lazy chunks only now.
    for (const path of ['/admin', '/privacy', '/api/features', ...(await assetsOf(site.url))]) {
      expect([path, (await fetch(site.url + path)).status]).toEqual([path, 200])
    }
    site.kill()
    await site.ended
  })
})

describe('a setup that is killed at a random moment', () => {
  it('leaves a build that works; of two setups that follow, one builds', async () => {
    for (let number = 1; number <= KILLS; number += 1) {
      project.change(`killed${number}`)
      const setup = project.startSetup()
      while (!setup.output().includes('Building')) await wait(20)
      await wait(Math.random() * SETUP_MS)
      setup.kill()
      await setup.ended
      expect(await project.rsvp('features')).toMatchObject({ code: 0 })
      const both = await Promise.all([project.setup(), project.setup()])
      expect(both.map(({ code }) => code)).toEqual([0, 0])
      expect(both.filter(({ output }) => output.includes('Building')).length).toBeLessThanOrEqual(1)
      expect(builds()).not.toContain('next')
      const names = readdirSync(join(currentBuild(), 'client/assets'))
      expect(names.some((name) => name.startsWith(`killed${number}-`))).toBe(true)
    }
  })
})
