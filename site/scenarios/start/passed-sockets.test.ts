import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { localNode, root } from '../../../scripts/local-node.mjs'

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
  const site = spawn('sh', ['-c', line, localNode(), join(root, 'dist/server/entry.mjs')], {
    env: { PORT: String(at.port), DATABASE_URL: `file:${folder}/rsvp.db`, RSVP_ENV_FILE: 'none', ...settings },
    stdio: ['ignore', 'pipe', 'pipe', held.fd],
  })
  let output = ''
  const ended = once(site, 'close').then(([code]) => Number(code))
  const ready = new Promise<void>((resolve, reject) => {
    for (const stream of [site.stdout, site.stderr]) {
      stream?.setEncoding('utf8').on('data', (text) => {
        output += text
        if (output.includes('is ready')) resolve()
      })
    }
    ended.then(() => reject(new Error(output)))
  })
  ready.catch(() => {})
  const stop = () => {
    site.kill('SIGTERM')
    return ended
  }
  return { ready, ended, stop, output: () => output }
}

describe('a socket that a service manager has opened', () => {
  it('stays open while the site restarts: who asks meanwhile waits, and is served', async () => {
    const first = startWithSocket()
    await first.ready
    expect((await fetch(`http://127.0.0.1:${at.port}/api/health`)).status).toBe(200)
    expect(await first.stop()).toBe(0)
    const between = fetch(`http://127.0.0.1:${at.port}/share`)
    const second = startWithSocket()
    const reply = await between
    expect([reply.status, (await reply.text()).endsWith('</html>')]).toEqual([200, true])
    expect(await second.stop()).toBe(0)
  })

  it('has to be open on the port of the settings', async () => {
    const site = startWithSocket({ PORT: '4' })
    expect(await site.ended).toBe(78)
    expect(site.output()).toContain(
      `systemd listens on 127.0.0.1, port ${at.port} for this site; the settings say 127.0.0.1, port 4. Make them match: \`sudo rsvp service install\``,
    )
  })
})
