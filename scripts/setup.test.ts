import { execFile } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { root } from './local-node.mjs'

/** A project in which only npm and what builds are fake: a build is a page that says its version. */
let place: string
beforeEach(() => {
  place = fs.mkdtempSync(join(tmpdir(), 'rsvp-setup-'))
  for (const name of ['scripts', 'package.json', '.npmrc'])
    fs.cpSync(join(root, name), join(place, name), { recursive: true })
  for (const name of ['astro.config.mjs', 'tsconfig.json', 'package-lock.json', 'cli/main.ts', 'db/open.ts'])
    write(name, '')
  write('npm/npm', npm)
  write('npm/astro', astro)
  write('scripts/bundle.mjs', bundle)
})
afterEach(() => fs.rmSync(place, { recursive: true, force: true }))

const npm = `#!/bin/sh
place=$(dirname "$0")
test -e $place/no-network && { echo 'npm error network' >&2; exit 1; }
bin=$3/node_modules/.bin
mkdir -p $bin && cp $place/astro $bin && ln -s ${process.execPath} $bin/node
`
const astro = `#!/usr/bin/env node
const { cpSync, mkdirSync, readFileSync, writeFileSync } = require('node:fs')
const version = readFileSync('site/version.txt', 'utf8')
if (version === 'broken') { console.error('share.astro:3:1 Expected ">"'); process.exit(1) }
mkdirSync('builds/next/server', { recursive: true })
cpSync('site/version.txt', 'builds/next/version.txt')
writeFileSync('builds/next/server/entry.mjs', version === 'stillborn' ? 'throw new Error("no such module")' : \`
import { createServer } from 'node:http'
const server = createServer((request, reply) => {
  reply.writeHead('\${version}' === 'empty' && request.url === '/share' ? 500 : 200).end()
})
server.listen(process.env.PORT, '127.0.0.1', () => console.log('The RSVP site is ready'))
process.on('SIGTERM', () => process.exit())\`)
`
const bundle = "import { cpSync } from 'node:fs'\ncpSync('cli/main.ts', 'builds/next/cli/rsvp.js')"

function write(path: string, text: string): void {
  fs.mkdirSync(dirname(join(place, path)), { recursive: true })
  fs.writeFileSync(join(place, path), text, { mode: 0o755 })
}

/** Sets up, after the sources were changed to another version. */
function setUp(version?: string, ...words: string[]): Promise<{ code: number; output: string }> {
  if (version !== undefined) write('site/version.txt', version)
  const env = { PATH: `${join(place, 'npm')}:${process.env.PATH}`, TMPDIR: tmpdir() }
  return new Promise((resolve) => {
    execFile(process.execPath, ['scripts/setup.mjs', ...words], { cwd: place, env }, (error, stdout, stderr) =>
      resolve({ code: error ? 1 : 0, output: stdout + stderr }),
    )
  })
}

const inUse = () => fs.readFileSync(join(place, 'dist/version.txt'), 'utf8')

describe('the setup', () => {
  it('installs and builds once, and then only what has changed; the two builds before stay', async () => {
    expect(await setUp('one')).toEqual({ code: 0, output: expect.stringMatching(/^Installing .+\nBuilding .+\n$/) })
    expect(await setUp()).toEqual({ code: 0, output: '' })
    for (const version of ['two', 'three', 'four']) {
      expect(await setUp(version)).toMatchObject({ code: 0, output: expect.stringMatching(/^Building .+\n$/) })
      expect(inUse()).toBe(version)
    }
    expect(fs.readdirSync(join(place, 'builds')).length).toBe(3)
    expect(await setUp('two')).toEqual({ code: 0, output: '' })
    expect(inUse()).toBe('two')
  })

  it('builds nothing for `npm run dev`', async () => {
    const output = expect.stringMatching(/^Installing .+\n$/)
    expect(await setUp('broken', '--packages')).toEqual({ code: 0, output })
    expect(await setUp('broken', '--packages')).toEqual({ code: 0, output: '' })
  })

  it('keeps the build in use where a new one cannot be built or does not work, and says what to do', async () => {
    await setUp('one')
    for (const [version, reason] of [
      ['broken', /share\.astro:3:1 .+\nThe build failed, see above\./],
      ['stillborn', /no such module[\s\S]+\nThe new build does not start, see above\./],
      ['empty', /The new build does not work, see above\./],
    ] as const) {
      const { code, output } = await setUp(version)
      expect([code, inUse()], version).toEqual([1, 'one'])
      expect(output).toMatch(reason)
      expect(output).toContain(
        'run the same command again.\nUntil then the previous build stays in use: `npx rsvp serve` starts it.',
      )
    }
    expect(await setUp('one')).toEqual({ code: 0, output: '' })
  })

  it('keeps the packages in use where new ones cannot be installed', async () => {
    await setUp('one')
    write('package-lock.json', 'changed')
    write('npm/no-network', '')
    expect(await setUp()).toMatchObject({ code: 1, output: expect.stringContaining('npm error network') })
    expect(fs.existsSync(join(place, 'node_modules/.bin/astro'))).toBe(true)
    fs.rmSync(join(place, 'npm/no-network'))
    expect(await setUp()).toMatchObject({ code: 0, output: expect.stringMatching(/^Installing/) })
    expect(fs.existsSync(join(place, '.install.tmp'))).toBe(false)
  })

  it('waits for another one, and goes on where that was killed', async () => {
    fs.symlinkSync('999999999', join(place, '.setup-lock.tmp'))
    const both = await Promise.all([setUp('one'), setUp()])
    expect(both.map(({ code }) => code)).toEqual([0, 0])
    expect(both.filter(({ output }) => output.includes('Building')).length).toBe(1)
    expect(inUse()).toBe('one')
  })
})
