import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { freePort } from '../../../scripts/testing/free-port.mjs'
import { spawnServer } from '../fixtures.ts'

/** Runs before everything else in the server's process. */
const recorder = `
  import { writeFileSync } from 'node:fs'
  import { registerHooks } from 'node:module'
  const files = []
  registerHooks({ load(url, context, next) {
    if (url.startsWith('file:')) files.push(url)
    return next(url, context)
  } })
  process.once('exit', () => writeFileSync(process.env.RECORDED, JSON.stringify({ files, ofNode: process.moduleLoadList })))`

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rsvp-start-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** What a server printed that was started and stopped. */
async function startAndStop(variables: Record<string, string>) {
  const DATABASE_URL = `file:${join(folder, 'rsvp.db')}`
  const server = spawnServer({ PORT: String(await freePort()), DATABASE_URL, ...variables })
  await expect.poll(() => server.printed.stdout).toContain('ready')
  server.child.kill('SIGTERM')
  await server.ended
  return server.printed
}

it('loads few files at its start, and neither a page nor what Node needs for fetch', async () => {
  const recorded = join(folder, 'recorded.json')
  await startAndStop({
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(recorder)}`,
    RECORDED: recorded,
  })
  const { files, ofNode } = JSON.parse(readFileSync(recorded, 'utf8')) as { files: string[]; ofNode: string[] }
  // The entry, the bundle in three or four files, and the native driver with what finds it.
  const own = files.filter((file) => !file.includes('/node_modules/'))
  expect(own.length, own.join('\n')).toBeLessThanOrEqual(6)
  expect(files.length, files.join('\n')).toBeLessThanOrEqual(14)
  // Only the first picture that is uploaded needs it.
  expect(files.filter((file) => file.includes('/sharp/'))).toEqual([])
  expect(ofNode.filter((name) => /undici/.test(name))).toEqual([])
  const code = own.map((file) => readFileSync(new URL(file), 'latin1')).join('')
  expect(code.length).toBeLessThan(2_400_000)
  // One other character, and V8 keeps the whole file at two bytes a character.
  expect(code.match(/[^\n]*[\u0080-\u00ff][^\n]*/)).toBeNull()
})

it('compiles nothing that an earlier start has compiled', async () => {
  await startAndStop({})
  const { stdout, stderr } = await startAndStop({ NODE_DEBUG_NATIVE: 'COMPILE_CACHE' })
  expect(stdout + stderr).toMatch(/V8 code cache for ESM file:\S+main_\S+ was accepted/)
})
