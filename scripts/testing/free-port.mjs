// Finds a free port on this computer, outside the range from which the system assigns ports.
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
  const isFree = await new Promise((resolve) => {
    const probe = createServer().once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
  return isFree ? port : freePort()
}
