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
  for (;;) {
    const port = FIRST + ((process.pid * STRIDE + asked++) % COUNT)
    if (await isFree(port)) return port
  }
}

function isFree(port) {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', (error) => {
      if (error.code === 'EADDRINUSE') resolve(false)
      else reject(error)
    })
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}
