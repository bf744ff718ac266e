import { shareBundle } from './scripts/share-bundle.mjs'

export default [
  {
    name: '/share before the first interaction',
    path: await shareBundle(),
    limit: '82 kB',
    gzip: true,
  },
]
