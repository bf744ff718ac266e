import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { root } from '../../../scripts/local-node.mjs'
import { shareBundle } from '../../../scripts/share-bundle.mjs'
import { callOf } from '../../exchange.ts'
import { send } from '../administrator.ts'
import type { Row } from '../row.ts'
import { startSite, withServers } from '../servers.ts'

const BYTES_PER_KB = 1000
const CLIENT = 'dist/client'

/** The bytes that the site itself sends, without a proxy. */
export const b2: Row = {
  id: 'B2',
  title: 'the same files on the wire',
  limit: 'their brotli size at the best quality',
  rounds: 1,
  measure: async () => {
    const files = await shareBundle()
    const site = await startSite(0)
    return withServers({ site }, async () => {
      let sent = 0
      let smallest = 0
      for (const file of files) {
        const path = file.slice(CLIENT.length)
        const reply = await send(
          site,
          callOf(`GET ${path}`, undefined, { 'accept-encoding': 'gzip, deflate, br, zstd' }),
        )
        if (reply.status !== 200) throw new Error(`${path} was replied to with ${reply.status}.`)
        sent += reply.bytes
        smallest += brotliCompressSync(await readFile(join(root, file))).length
      }
      const figure = { name: 'size', unit: 'kB', ours: [sent / BYTES_PER_KB], limit: [smallest / BYTES_PER_KB] }
      return [{ ...figure, target: { atMost: 1.05 } }]
    })
  },
}
