import node from '@astrojs/node'
import react from '@astrojs/react'
import { defineConfig, passthroughImageService } from 'astro/config'
import { afterBuild } from './scripts/build/after-build.mjs'
import { targets } from './scripts/build/oldest-browsers.mjs'
import { serverFiles, serverModules } from './scripts/build/server-bundle.mjs'
import { calls } from './site/calls.ts'

const entry = new URL('./site/server/entry.ts', import.meta.url)

const sharedScripts = [
  { name: 'react', test: /node_modules.(react|react-dom|scheduler|@astrojs.react)./, priority: 2 },
  // What visitors load, with all that it imports: the administration uses most of it as well.
  { name: 'visitors', test: /islands.visitor-islands/, priority: 1 },
]

const sharedOnServer = [
  // A style sheet of its own: visitors load less.
  { name: 'administration', test: /styles.administration\.css/, priority: 1 },
  // One file instead of eighty: to find and read each takes longer than to run what is in it. Without what writes
  // calendars: few need it, and each start would read it.
  { name: 'shared', minShareCount: 2, test: /^(?!.*(ical\.js|calendar.ics\.ts|timezones-ical))/ },
]

export default defineConfig({
  output: 'server',
  srcDir: './site',
  publicDir: './site/public',
  // Never where a site runs from: scripts/setup.mjs puts it there.
  outDir: './builds/next',
  adapter: withEntry(node({ mode: 'middleware' }), entry),
  integrations: [react(), afterBuild(), routesOfCalls(), startBeforeIslands()],
  session: false,
  trailingSlash: 'never',
  build: { assets: 'assets', inlineStylesheets: 'never' },
  image: { service: passthroughImageService() },
  security: {
    // Our own check by Sec-Fetch-Site and Origin replaces it: this one ignores JSON (site/server/access/guard.ts).
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
        "worker-src 'self'",
      ],
    },
  },
  vite: {
    // React for the server reads it whenever it starts: without it `npm start` would run React's version for developers.
    define: { 'process.env.NODE_ENV': '"production"' },
    build: { target: targets, cssTarget: targets },
    plugins: [plainImports(), serverModules(), serverFiles()],
    // Three files that every page shares instead of fifteen: fewer requests, and they compress better together.
    environments: {
      client: { build: { rolldownOptions: { output: { codeSplitting: { groups: sharedScripts } } } } },
      ssr: { build: { rolldownOptions: { output: { codeSplitting: { groups: sharedOnServer } } } } },
    },
    // One bundle: the entry, the pages and the database module share one module graph, so there is one
    // database connection in the process, and drizzle starts in a tenth of the time. Native code cannot be bundled.
    ssr: { noExternal: true, external: ['libsql', 'sharp'] },
  },
})

/**
 * What is imported on demand is imported, and no more: Vite's own wrapper weighs 0.9 kB in the first load, to fetch styles
 * that we have in one file, and a second script a moment earlier.
 * @returns {import('vite').Plugin}
 */
function plainImports() {
  return {
    name: 'plain-imports',
    enforce: 'pre',
    // Astro sets it as well; without it each script that imports on demand lists what the wrapper would have preloaded.
    configEnvironment: (name) => (name === 'client' ? { build: { modulePreload: false } } : undefined),
    load: (id) => (id.endsWith('vite/preload-helper.js') ? 'export const __vitePreload = (load) => load()' : undefined),
  }
}

/**
 * One file handles all calls, and every other address below `/api`.
 * @returns {import('astro').AstroIntegration}
 */
function routesOfCalls() {
  const routes = new Set([...Object.keys(calls).map((name) => name.split(' ')[1] ?? ''), '/api/[...path]'])
  return {
    name: 'routes-of-calls',
    hooks: {
      'astro:config:setup'({ injectRoute }) {
        for (const pattern of routes) injectRoute({ pattern, entrypoint: './site/endpoints.ts' })
      },
    },
  }
}

/**
 * Without the root element the app stops: no island starts.
 * @returns {import('astro').AstroIntegration}
 */
function startBeforeIslands() {
  return {
    name: 'start-before-islands',
    hooks: {
      'astro:config:setup': ({ injectScript }) =>
        injectScript('before-hydration', "import '#site/lib/before-islands.ts'"),
    },
  }
}

/**
 * The Node adapter with our server as the entry of its build.
 * @param {import('astro').AstroIntegration} adapter
 * @param {URL} serverEntrypoint
 * @returns {import('astro').AstroIntegration}
 */
function withEntry(adapter, serverEntrypoint) {
  return {
    ...adapter,
    hooks: {
      ...adapter.hooks,
      'astro:config:done': (options) =>
        adapter.hooks['astro:config:done']?.({
          ...options,
          setAdapter: (chosen) => options.setAdapter({ ...chosen, serverEntrypoint }),
        }),
    },
  }
}
