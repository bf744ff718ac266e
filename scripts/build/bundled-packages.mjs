// Remembers the packages in what Vite bundles: the pages and the islands.
import { rememberPackages } from './remember-packages.mjs'

/** @returns {import('vite').Plugin} */
export function bundledPackages() {
  return {
    name: 'bundled-packages',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
      rememberPackages(chunks.flatMap(({ modules }) => Object.keys(modules)))
    },
  }
}
