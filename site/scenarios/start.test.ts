import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { projectRoot } from '#db/config/places.ts'
import { spawnServer, startAt, storedRsvps } from '#site/scenarios/fixtures.ts'
import { startBuiltServer } from '#testing/built-server.mjs'
import { copyProject } from '#testing/copy-project.mjs'
import { testRsvp } from '#testing/database-fixtures.ts'
import { freePort } from '#testing/free-port.mjs'

const folder = mkdtempSync(join(tmpdir(), 'rsvp-start-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function refused(variables: Record<string, string>, expected = 78): Promise<string[]> {
  const { ended, printed } = spawnServer({ PORT: '0', DATABASE_URL: `file:${join(folder, 'unused.db')}`, ...variables })
  expect(await ended).toEqual({ code: expected })
  expect(printed.stdout).toBe('')
  expect(printed.stderr).not.toMatch(/\n\s+at /)
  return printed.stderr.trimEnd().split('\n')
}

describe('the start', () => {
  it('reads .env beside package.json, with paths relative to it, wherever it was started from', async () => {
    const project = join(folder, 'project')
    copyProject(['package.json', 'dist'], project)
    symlinkSync(join(projectRoot, 'node_modules'), join(project, 'node_modules'))
    const port = await freePort()
    const settings = `PORT=${port}\nDATABASE_URL=file:./parish/rsvps.db\nBACKUP_FOLDER=backups\nSMPT_URL=x\ntrusted_proxy=x\n`
    writeFileSync(join(project, '.env'), settings)
    const command = [process.execPath, join(project, 'dist/server/entry.mjs')] as const
    const { child, ended, printed } = spawnServer({}, 'pipe', [...command])
    await vi.waitFor(() => expect(printed.stdout).toMatch(`The RSVP site is ready at http://localhost:${port}\n`))
    child.kill('SIGTERM')
    expect(await ended).toEqual({ code: 0 })
    expect(printed.stderr).toMatch(
      /^BACKUP_FOLDER in \.env is not a setting.+\nSMPT_URL in \.env is not a setting.+\ntrusted_proxy in \.env is not a setting.+\n$/,
    )
    expect(existsSync(join(project, 'parish/rsvps.db'))).toBe(true)
  })

  it('ends when the port is taken, in a sentence', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const address = other.address()
    const port = typeof address === 'object' ? String(address?.port) : ''
    expect(await refused({ PORT: port }, 1)).toEqual([
      `Cannot listen on 127.0.0.1, port ${port} (EADDRINUSE). Choose another PORT or HOST, or stop what uses it.`,
    ])
    other.close()
  })

  it.runIf(process.getuid?.() === 0)('says that others can read a database that is not its own', async () => {
    const path = join(folder, 'of another.db')
    const first = await startAt(`file:${path}`)
    first.child.kill('SIGTERM')
    await first.ended
    chmodSync(path, 0o644)
    chownSync(path, 65534, 65534)
    const { child, ended, printed } = await startAt(`file:${path}`)
    expect(printed.stderr).toBe(
      `Other accounts can read the database. Run as the account that it belongs to: chmod 600 '${path}'. Where the file system has no permissions, mount it with umask=077.\n`,
    )
    child.kill('SIGTERM')
    expect(await ended).toEqual({ code: 0 })
  })

  it('ends when the database server does not reply, without showing its password', async () => {
    const server = `127.0.0.1:${await freePort()}`
    const text = await refused({ DATABASE_URL: `http://me:s3cret@${server}`, DATABASE_AUTH_TOKEN: 's3cret' }, 1)
    expect(text.join()).toMatch(new RegExp(`^(?!.*s3cret).*http://${server}`))
  })

  it('says where it is and how to guard it, makes folder and file for this account only, and keeps what is stored for the next start', async () => {
    const path = join(folder, 'new', 'deep', 'rsvp.db')
    const umask = process.umask(0)
    const first = await startAt(`file:${path}`)
    process.umask(umask)
    const url = first.url.replace('127.0.0.1', 'localhost')
    const stdout = `The RSVP site is ready at ${url}\nTo guard it, open ${url}/guard on this computer.\n`
    // The second line may come a moment later.
    await vi.waitFor(() => expect(first.printed).toEqual({ stdout, stderr: '' }))
    const reply = await fetch(`${first.url}/api/rsvp`, {
      method: 'POST',
      body: JSON.stringify(testRsvp()),
      headers: { 'Content-Type': 'application/json' },
    })
    expect(reply.status).toBe(201)
    expect(statSync(join(folder, 'new')).mode & 0o777).toBe(0o700)
    expect(statSync(join(folder, 'new', 'deep')).mode & 0o777).toBe(0o700)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    first.child.kill('SIGINT')
    expect(await first.ended).toEqual({ code: 0 })

    const second = await startBuiltServer({ DATABASE_URL: `file:${path}` })
    expect(await storedRsvps(second)).toMatchObject([{ id: 1, name: 'Ana Cole' }])
    await second.stop()
  })
})
