import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { BUILT_ENTRY, spawnServer } from '#site/scenarios/fixtures.ts'

type TcpWrap = {
  constants: { SERVER: number }
  TCP: new (
    type: number,
  ) => { fd: number; bind(address: string, port: number): number; getsockname(at: object): number; close(): void }
}

const folder = mkdtempSync(join(tmpdir(), 'rsvp-sockets-'))
/** Node opens no socket without accepting its connections, except by what its own servers are made of. */
const { TCP, constants } = (process as unknown as { binding: (name: string) => TcpWrap }).binding('tcp_wrap')
const held = new TCP(constants.SERVER)
const at = { address: '', family: '', port: 0 }

beforeAll(() => {
  expect([held.bind('127.0.0.1', 0), held.getsockname(at)]).toEqual([0, 0])
})

afterAll(() => {
  held.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Starts the built site with the socket of this process as its file descriptor 3. */
function startWithSocket(settings: Record<string, string> = {}) {
  const line = 'LISTEN_PID=$$ LISTEN_FDS=1 exec "$0" "$1"'
  const variables = {
    PORT: String(at.port),
    DATABASE_URL: `file:${folder}/rsvp.db`,
    RSVP_ENV_FILE: 'none',
    ...settings,
  }
  const command = ['sh', '-c', line, process.execPath, BUILT_ENTRY] as const
  return spawnServer(variables, ['ignore', 'pipe', 'pipe', held.fd], [...command])
}

describe('a socket that a service manager has opened', () => {
  it('stays open while the site restarts: who asks meanwhile waits, and is served', async () => {
    const url = `http://127.0.0.1:${at.port}`
    const first = startWithSocket()
    await vi.waitFor(() => expect(first.printed.stdout).toContain('is ready'))
    expect((await fetch(`${url}/api/health`)).status).toBe(200)
    first.child.kill('SIGTERM')
    expect(await first.ended).toEqual({ code: 0 })
    const between = fetch(`${url}/share`)
    const second = startWithSocket()
    const reply = await between
    expect([reply.status, (await reply.text()).endsWith('</html>')]).toEqual([200, true])
    second.child.kill('SIGTERM')
    expect(await second.ended).toEqual({ code: 0 })
  })

  it('has to be open on the port of the settings', async () => {
    const { ended, printed } = startWithSocket({ PORT: '4' })
    expect(await ended).toEqual({ code: 78 })
    expect(printed.stderr).toContain(
      `systemd listens on 127.0.0.1, port ${at.port} for this site; the settings say 127.0.0.1, port 4. Make them match: \`sudo rsvp service install\``,
    )
  })
})
