// Writes what is bundled for the server without indentation and comments, and in ASCII: one other character makes V8 keep
// the whole file at two bytes a character. Names stay, and lines stay short, so that places of errors can be read.
import { transform } from 'esbuild'

/** @returns {import('vite').Plugin} */
export function compact() {
  return {
    name: 'compact',
    applyToEnvironment: ({ name }) => name === 'ssr',
    async generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) if (file.type === 'chunk') file.code = await compacted(file.code)
    },
  }
}

async function compacted(source) {
  const { code } = await transform(source, { minifyWhitespace: true, lineLimit: 120, legalComments: 'none' })
  // The bundler escapes other characters everywhere but in patterns. Behind a backslash it would be another pattern.
  // Astro replaces this text by what it knows of the routes, wherever it stands in its line.
  const whole = code.replaceAll(/"@@[A-Z_\\\n]+@@"/g, (placeholder) => placeholder.replaceAll('\\\n', ''))
  return whole.replaceAll(/(?<!\\)[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
