// Bundles the command line into dist/cli: one small file to start with, the rest loaded when a command needs it.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { root } from './local-node.mjs'

const outdir = join(root, 'dist', 'cli')

rmSync(outdir, { recursive: true, force: true })
await build({
  absWorkingDir: root,
  entryPoints: ['cli/rsvp.ts'],
  outdir,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node22.12',
  jsx: 'automatic',
  minifySyntax: true,
  minifyWhitespace: true,
  define: { 'process.env.NODE_ENV': '"production"' },
  // Native code, which cannot be bundled, and what Ink asks for only while it is being developed.
  external: ['libsql', 'react-devtools-core'],
  // Packages written for CommonJS call it.
  banner: {
    js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
  },
  logLevel: 'warning',
})
