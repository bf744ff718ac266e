// Adds to the build of Astro the command, the migrations, the service worker, and compressed copies of what browsers load.
import { cpSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { root } from './local-node.mjs'
import { targets } from './oldest-browsers.mjs'

const next = join(root, 'builds', 'next')

await build({
  absWorkingDir: root,
  entryPoints: ['cli/rsvp.ts', 'cli/main.ts'],
  outdir: next,
  outbase: '.',
  chunkNames: 'cli/[name]-[hash]',
  bundle: true,
  // A command loads only what it needs.
  splitting: true,
  format: 'esm',
  platform: 'node',
  // Not CommonJS where a package has both: `import()` of it would have no named exports.
  mainFields: ['module', 'main'],
  target: 'node22.12',
  jsx: 'automatic',
  // The first two are native code; Ink loads the third only for its own developers.
  external: ['libsql', 'sharp', 'react-devtools-core'],
  define: { 'process.env.NODE_ENV': '"production"' },
  // Packages in CommonJS call `require`.
  banner: { js: "import{createRequire as ownRequire}from'node:module';const require=ownRequire(import.meta.url);" },
})

cpSync(join(root, 'db', 'migrations'), join(next, 'migrations'), { recursive: true })

await build({
  absWorkingDir: root,
  entryPoints: ['site/worker/worker.ts'],
  // At the root of the site, so that it may serve all of it.
  outfile: join(next, 'client', 'worker.js'),
  bundle: true,
  minify: true,
  target: targets,
})

// Compressed once, instead of for each request.
for (const path of globSync(join(next, 'client', '**', '*.{js,css,svg,txt}'))) {
  const content = readFileSync(path)
  writeFileSync(`${path}.br`, brotliCompressSync(content))
  writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }))
}
