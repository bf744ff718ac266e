import * as z from 'zod/mini'

/** As long as a health reply may take while a libSQL server is slow. */
const REPLY_TIMEOUT_MS = 10_000
const ASSETS = /\/assets\/[\w.-]+\.(?:css|js)/g

const problem = z.object({ detail: z.string() })

/**
 * Requests what every visitor needs: a site that can store something, its page, and each script and style of that page.
 * @param address e.g. `http://127.0.0.1:4321`
 * @throws Error that says what is wrong, as the end of a sentence.
 */
export async function examineSite(address: string): Promise<void> {
  await request(`${address}/api/health`)
  const page = await request(`${address}/share`)
  if (!page.trimEnd().endsWith('</html>')) throw new Error('/share ends in the middle')
  const assets = Array.from(new Set(page.match(ASSETS)))
  if (!assets.some((path) => path.endsWith('.css'))) throw new Error('/share names no styles')
  for (const path of assets) await request(address + path)
}

/** On a connection of its own: a site that is to stop waits for others. */
async function request(address: string): Promise<string> {
  const path = new URL(address).pathname
  const options = { headers: { connection: 'close' }, signal: AbortSignal.timeout(REPLY_TIMEOUT_MS) }
  const reply = await fetch(address, options).catch(() => {
    throw new Error(`${path} gets no reply`)
  })
  const text = await reply.text()
  if (reply.ok) return text
  throw new Error(`${path} replies ${reply.status}${reasonIn(text)}`)
}

function reasonIn(body: string): string {
  try {
    return `, ${problem.parse(JSON.parse(body)).detail.replaceAll('\n', ' ')}`
  } catch {
    return ''
  }
}
