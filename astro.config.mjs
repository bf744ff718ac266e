import { fileURLToPath } from 'node:url'
import node from '@astrojs/node'
import react from '@astrojs/react'
import { defineConfig, passthroughImageService } from 'astro/config'

const entry = fileURLToPath(new URL('./site/server/main.ts', import.meta.url))

export default defineConfig({
  output: 'server',
  srcDir: './site',
  publicDir: './site/public',
  outDir: './dist',
  adapter: node({ mode: 'middleware' }),
  integrations: [react()],
  session: false,
  trailingSlash: 'never',
  build: { assets: 'assets', inlineStylesheets: 'never' },
  image: { service: passthroughImageService() },
  security: {
    // Our own check by Sec-Fetch-Site and Origin replaces it: this one ignores JSON (site/server/same-site.ts).
    checkOrigin: false,
    csp: {
      directives: [
        "default-src 'none'",
        "base-uri 'none'",
        "connect-src 'self'",
        "font-src 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "img-src 'self' data:",
        "manifest-src 'self'",
      ],
    },
  },
  vite: {
    // One bundle: the entry, the pages and the database module share one module graph, so there is one
    // database connection in the process, and drizzle starts in a tenth of the time.
    ssr: { noExternal: true, external: ['libsql', '@libsql/client'] },
    environments: {
      ssr: { build: { rolldownOptions: { input: { index: entry } } } },
    },
  },
})
