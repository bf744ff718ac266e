// Starts the load in the network of a booted Debian, with the Node and the files of this machine.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { localNode, root } from '../../../scripts/local-node.mjs'

const ADDRESS = 'http://127.0.0.1:4321'

/** `stop` returns what load.ts has found. */
export function startLoad({ leader, folder }, seed) {
  const script = join(root, 'lab/updates/service/load.ts')
  const database = join(folder, 'var/lib/rsvp/main/data/rsvp.db')
  const words = ['-t', leader(), '-n', '--', localNode(), script, ADDRESS, database, String(seed)]
  const load = spawn('nsenter', words, { stdio: ['pipe', 'pipe', 'inherit'] })
  const printed = text(load.stdout)
  return {
    async stop() {
      load.stdin.end()
      return JSON.parse(await printed)
    },
    kill: () => load.kill('SIGKILL'),
  }
}
