// Finds a free port on this computer, outside the range from which the system assigns ports.
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the ephemeral ports, and above those that browsers refuse. */
const FIRST = 11_000
const COUNT = 21_000
/** Parallel processes start at different ports. */
const STRIDE = 101

let asked = 0

/** @returns {Promise<number>} */
export async function freePort() {
  const port = FIRST + ((process.pid * STRIDE + asked++) % COUNT)
  const probe = createServer().listen(port, '127.0.0.1')
  try {
    await once(probe, 'listening')
  } catch (error) {
    if (error.code === 'EADDRINUSE') return freePort()
    throw error
  }
  probe.close()
  await once(probe, 'close')
  return port
}
