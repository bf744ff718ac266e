import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { root } from './local-node.mjs'

/** A project in which only npm and what builds are fake: a build is a page that says its version. */
let place: string
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'rsvp-setup-'))
  for (const name of ['scripts', 'package.json', '.npmrc', '.env.example'])
    cpSync(join(root, name), join(place, name), { recursive: true })
  for (const name of ['astro.config.mjs', 'tsconfig.json', 'package-lock.json', 'cli/main.ts', 'db/open.ts'])
    write(name, '')
  write('npm/npm', npm)
  write('npm/astro', astro)
  write('scripts/bundle.mjs', bundle)
})
afterEach(() => rmSync(place, { recursive: true, force: true }))

const npm = `#!/bin/sh
place=$(dirname "$0")
test -e $place/no-network && { echo 'npm error network' >&2; exit 1; }
mkdir -p node_modules/.bin && cp $place/astro node_modules/.bin && ln -s ${process.execPath} node_modules/.bin/node
`
const astro = `#!/usr/bin/env node
const { mkdirSync, readFileSync, writeFileSync } = require('node:fs')
const version = readFileSync('site/version.txt', 'utf8')
if (version === 'broken') { console.error('share.astro:3:1 Expected ">"'); process.exit(1) }
for (const folder of ['server', 'client/assets']) mkdirSync('builds/next/' + folder, { recursive: true })
writeFileSync('builds/next/client/assets/' + version + '.css', '')
writeFileSync('builds/next/server/entry.mjs', version === 'stillborn' ? 'throw new Error("no such module")' : \`
import { createServer } from 'node:http'
const server = createServer((request, reply) => {
  reply.writeHead('\${version}' === 'empty' && request.url === '/share' ? 500 : 200).end()
})
server.listen(process.env.PORT, '127.0.0.1', () => console.log('The RSVP site is ready'))
process.on('SIGTERM', () => process.exit())\`)
`
const bundle = `
import { mkdirSync, writeFileSync } from 'node:fs'
mkdirSync('builds/next/cli')
writeFileSync('builds/next/cli/rsvp.js', '')
`

function write(path: string, text: string): void {
  mkdirSync(dirname(join(place, path)), { recursive: true })
  writeFileSync(join(place, path), text, { mode: 0o755 })
}

/** Sets up, after the sources were changed to another version. */
function setUp(version?: string): Promise<{ code: number | null; output: string }> {
  if (version !== undefined) write('site/version.txt', version)
  const env = { PATH: `${join(place, 'npm')}:${process.env.PATH}`, TMPDIR: tmpdir() }
  const child = spawn(process.execPath, ['scripts/setup.mjs'], { cwd: place, env })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output })))
}

const inUse = () => readdirSync(join(place, 'dist/client/assets')).join()

describe('the setup', () => {
  it('installs and builds once, and then only what has changed; the two builds before stay', async () => {
    expect(await setUp('one')).toEqual({ code: 0, output: expect.stringMatching(/^Installing .+\nBuilding .+\n$/) })
    expect(await setUp()).toEqual({ code: 0, output: '' })
    for (const version of ['two', 'three', 'four']) {
      expect(await setUp(version)).toMatchObject({ code: 0, output: expect.stringMatching(/^Building .+\n$/) })
      expect(inUse()).toBe(`${version}.css`)
    }
    expect(readdirSync(join(place, 'builds')).length).toBe(3)
    expect(await setUp('two')).toEqual({ code: 0, output: '' })
    expect(inUse()).toBe('two.css')
  })

  it('keeps the build in use where a new one cannot be built or does not work, and says what to do', async () => {
    await setUp('one')
    for (const [version, reason] of [
      ['broken', /share\.astro:3:1 .+\nThe build failed, see above\./],
      ['stillborn', /no such module[\s\S]+\nThe new build does not start, see above\./],
      ['empty', /The new build does not work, see above\./],
    ] as const) {
      const { code, output } = await setUp(version)
      expect([code, inUse()], version).toEqual([1, 'one.css'])
      expect(output).toMatch(reason)
      expect(output).toContain('run the same command again.\nUntil then the previous build stays in use.')
    }
    expect(await setUp('one')).toEqual({ code: 0, output: '' })
  })

  it('keeps the packages in use where new ones cannot be installed', async () => {
    await setUp('one')
    write('package-lock.json', 'changed')
    write('npm/no-network', '')
    expect(await setUp()).toMatchObject({ code: 1, output: expect.stringContaining('npm error network') })
    expect(existsSync(join(place, 'node_modules/.bin/astro'))).toBe(true)
    rmSync(join(place, 'npm/no-network'))
    expect(await setUp()).toMatchObject({ code: 0, output: expect.stringMatching(/^Installing/) })
    expect(existsSync(join(place, '.install.tmp'))).toBe(false)
  })

  it('waits for another one, and goes on where that was killed', async () => {
    symlinkSync('999999999', join(place, '.setup-lock.tmp'))
    const both = await Promise.all([setUp('one'), setUp()])
    expect(both.map(({ code }) => code)).toEqual([0, 0])
    expect(both.filter(({ output }) => output.includes('Building')).length).toBe(1)
    expect(inUse()).toBe('one.css')
  })
})
