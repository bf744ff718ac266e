// Starts a site that was just built or released, requests what every visitor needs, and stops it.
import { spawn } from 'node:child_process'

/** Long enough for a small server that is busy with other work. */
const TIMEOUT_MS = 60_000

/**
 * @param {string[]} command starts the site, on any port
 * @param {import('node:child_process').SpawnOptions} options its folder and environment
 * @param {(url: string) => Promise<void>} work further trials
 * @throws Error with the site's output as `output`, if it does not start or reply
 */
export async function trySite([program, ...words], options, work) {
  const site = spawn(program, words, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [site.stdout, site.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  const ended = new Promise((resolve) => site.once('close', resolve))
  try {
    const url = await addressOf(site, () => output, ended)
    const page = await (await request(`${url}/share`)).text()
    for (const [, path] of page.matchAll(/<link rel="stylesheet" href="([^"]+)"/g)) await request(url + path)
    await work(url)
  } catch (error) {
    throw Object.assign(error, { output })
  } finally {
    site.kill('SIGTERM')
    const killing = setTimeout(() => site.kill('SIGKILL'), TIMEOUT_MS)
    await ended
    clearTimeout(killing)
  }
}

/** @throws Error if the reply is not a success. */
export async function request(address, { headers, ...options } = {}) {
  // On an open connection the site would wait for more requests, and stop late.
  const own = { signal: AbortSignal.timeout(TIMEOUT_MS), headers: { ...headers, connection: 'close' } }
  const reply = await fetch(address, { ...options, ...own })
  if (!reply.ok) throw new Error(`${new URL(address).pathname} replied ${reply.status}.`)
  return reply
}

/** The line that the site prints when it is ready ends with its address. */
function addressOf(site, output, ended) {
  return new Promise((resolve, reject) => {
    const waiting = setTimeout(() => reject(new Error('It was not ready in time.')), TIMEOUT_MS)
    site.stdout.on('data', () => {
      const port = /ready at \S+:(\d+)\n/.exec(output())?.[1]
      if (port !== undefined) resolve(`http://127.0.0.1:${port}`)
    })
    ended.then(() => reject(new Error('It ended.'))).finally(() => clearTimeout(waiting))
  })
}
