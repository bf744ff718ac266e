import { shareBundle, TRIVIAL_ISLAND_KB } from './scripts/share-bundle.mjs'

export default [
  {
    name: '/share before the first interaction',
    path: await shareBundle(),
    limit: `${(TRIVIAL_ISLAND_KB * 1.16).toFixed(1)} kB`,
    gzip: true,
  },
]
