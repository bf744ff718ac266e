import { shareBundle } from './scripts/share-bundle.mjs'

// What React 19 with one trivial island weighs here, gzip: no page goes below that without leaving React.
const trivialIsland = 69.0

export default [
  {
    name: '/share before the first interaction',
    path: await shareBundle(),
    limit: `${(trivialIsland * 1.2).toFixed(1)} kB`,
    gzip: true,
  },
]
