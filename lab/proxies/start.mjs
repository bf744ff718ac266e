// Starts a proxy in front of the site, and sends requests through it.
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Failure } from '../../scripts/run.mjs'
import { freePort } from '../../scripts/testing/free-port.mjs'
import { commands } from './setups.mjs'

const TIMEOUT_MS = 15_000

export const name = 'rsvp.example.org'

/** Debian installs servers outside the PATH of ordinary accounts. */
const path = `${process.env.PATH}:/usr/local/sbin:/usr/sbin`

export function isInstalled(program) {
  return spawnSync('sh', ['-c', `command -v ${program}`], { env: { PATH: path } }).status === 0
}

/** Resolves once the proxy listens. `send` sends a call through it, e.g. `GET /share`. */
export async function startProxy({ proxy, https, configure }, site) {
  const folder = mkdtempSync(join(tmpdir(), 'rsvp-proxy-'))
  const port = await freePort()
  const file = join(folder, 'configuration')
  if (https) writeCertificate(join(folder, 'site.pem'))
  writeFileSync(file, configure({ site, port, folder }))
  const env = { ...process.env, PATH: path, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
  const server = spawn(proxy, commands[proxy](file, folder), { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [server.stdout, server.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  const ended = new Promise((resolve) => server.once('close', resolve))

  async function stop() {
    server.kill('SIGTERM')
    await Promise.race([ended, wait(5000, undefined, { ref: false }).then(() => server.kill('SIGKILL'))])
    rmSync(folder, { recursive: true, force: true })
  }

  for (const deadline = Date.now() + TIMEOUT_MS; !(await listens(port)); await wait(50)) {
    if (server.exitCode === null && Date.now() < deadline) continue
    await stop()
    throw new Failure(`${proxy} did not start:\n${output.trim()}`)
  }
  return { send: (call, options) => send({ port, https }, call, options), stop }
}

/**
 * Sends exactly these headers, and the site's Host if they have none. A reply may come before everything is sent, e.g. to a
 * body that is too large. `pause` stops reading for that many ms after the first piece.
 */
function send({ port, https }, call, { headers = {}, json, form, body, from = '127.0.0.1', pause } = {}) {
  const [method, path] = call.split(' ')
  const content = json === undefined ? (form?.toString() ?? body) : JSON.stringify(json)
  const type = json === undefined ? 'application/x-www-form-urlencoded' : 'application/json'
  const own = content === undefined ? {} : { 'content-type': type, 'content-length': Buffer.byteLength(content) }
  const options = { host: '127.0.0.1', port, localAddress: from, method, path, agent: false, timeout: TIMEOUT_MS }
  const secure = { servername: name, rejectUnauthorized: false }
  return new Promise((resolve, reject) => {
    const outgoing = (https ? httpsRequest : httpRequest)({
      ...options,
      ...(https && secure),
      headers: { host: name, ...own, ...headers },
    })
    outgoing.on('upgrade', ({ headers }, socket) => resolve({ status: 101, headers, text: '' }, socket.destroy()))
    outgoing.on('timeout', () => outgoing.destroy(new Failure(`${call} got no reply.`)))
    outgoing.on('error', reject)
    outgoing.on('response', async (incoming) => {
      const pieces = []
      try {
        for await (const piece of incoming) {
          pieces.push(piece)
          if (pause && pieces.length === 1) await wait(pause)
        }
      } catch {
        // What has come so far is the reply. The checks tell whether it is whole.
      }
      resolve({ status: incoming.statusCode, headers: incoming.headers, text: Buffer.concat(pieces).toString() })
    })
    outgoing.end(content)
  })
}

function writeCertificate(file) {
  const args = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', `/CN=${name}`]
  const { status } = spawnSync('openssl', [...args, '-keyout', `${file}.key`, '-out', `${file}.crt`])
  if (status !== 0) throw new Failure('Install openssl: the proxies need a certificate.')
  const joined = ['crt', 'key'].map((part) => readFileSync(`${file}.${part}`, 'utf8')).join('')
  writeFileSync(file, joined, { mode: 0o600 })
}

function listens(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true, socket.destroy()))
    socket.on('error', () => resolve(false))
  })
}
