// Finds a port of this computer that nobody listens on, and that the system gives nobody else before it is used.
import { createServer } from 'node:net'

/** Below those that systems give to connections, and above those that browsers refuse. */
const first = 11_000
const count = 21_000
/** Processes side by side look in different places. */
const apart = 101

let asked = 0

/** @returns {Promise<number>} */
export async function freePort() {
  for (;;) {
    const port = first + ((process.pid * apart + asked++) % count)
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
