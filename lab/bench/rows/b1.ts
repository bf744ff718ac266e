import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { root } from '../../../scripts/local-node.mjs'
import { shareBundle, TRIVIAL_ISLAND_KB } from '../../../scripts/share-bundle.mjs'
import type { Row } from '../row.ts'

const BYTES_PER_KB = 1000

/** What a phone has to fetch and run before the form can be used. */
export const b1: Row = {
  id: 'B1',
  title: 'JavaScript of `/share` before the first interaction, gzip',
  limit: 'React 19 with a trivial island, measured once',
  rounds: 1,
  measure: async () => {
    const files = await shareBundle()
    const sizes = await Promise.all(files.map(async (file) => gzipSync(await readFile(join(root, file))).length))
    const ours = [sizes.reduce((sum, size) => sum + size, 0) / BYTES_PER_KB]
    return [{ name: 'size', unit: 'kB', ours, limit: [TRIVIAL_ISLAND_KB], target: { atMost: 1.19 } }]
  },
}
