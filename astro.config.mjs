import node from '@astrojs/node'
import react from '@astrojs/react'
import { defineConfig, passthroughImageService } from 'astro/config'
import { targets } from './scripts/oldest-browsers.mjs'

const sharedScripts = [
  { name: 'react', test: /node_modules.(react|react-dom|scheduler|@astrojs.react)./, priority: 2 },
  // What visitors load, with all that it imports: the administration uses most of it as well.
  { name: 'visitors', test: /islands.visitor-islands/, priority: 1 },
]
const sharedOnServer = [
  // A style sheet of its own: visitors load less.
  { name: 'administration', test: /styles.administration\.css/, priority: 1 },
  // Not what writes calendars: few need it, and each start would read it.
  { name: 'shared', minShareCount: 2, test: /^(?!.*(ical\.js|calendar.ics\.ts|timezones-ical))/ },
]
const contentPolicy =
  "default-src 'none'; base-uri 'none'; connect-src 'self'; font-src 'self'; form-action 'self'; " +
  "frame-ancestors 'none'; img-src 'self' data:; manifest-src 'self'; worker-src 'self'"

/** @type {import('astro').AstroIntegration['hooks']} */
const hooks = {
  'astro:config:setup'({ injectScript }) {
    // Without the root element the app stops: no island starts.
    injectScript('before-hydration', "import '#site/lib/before-islands.ts'")
  },
  // Only with `npm run dev`.
  'astro:server:setup'({ server }) {
    server.middlewares.use((request, response, next) => {
      // Loaded anew after a change, together with all that it imports.
      const loaded = server.environments.ssr.runner.import('/site/server/dev.ts')
      loaded.then(({ prepare }) => prepare(request, response, next)).catch(next)
    })
  },
}

/** Overrides Astro in a build. Without the last two, scripts that import on demand would cost each visitor 1.2 kB more. */
const overrides = {
  name: 'overrides',
  apply: 'build',
  enforce: 'post',
  config: () => ({
    // React for the server reads it whenever it starts: without it `npm start` would run React's version for developers.
    define: { 'process.env.NODE_ENV': '"production"' },
    environments: { ssr: { build: { rolldownOptions: { input: { index: './site/server/entry.ts' } } } } },
    // One bundle, so there is one database connection in the process, and drizzle starts in a tenth of the time.
    ssr: { noExternal: true },
  }),
  configEnvironment: (name) => (name === 'client' ? { build: { modulePreload: false, target: targets } } : undefined),
  load: (id) => (id.endsWith('vite/preload-helper.js') ? 'export const __vitePreload = (load) => load()' : undefined),
}

export default defineConfig({
  output: 'server',
  srcDir: './site',
  publicDir: './site/public',
  // Never where a site runs from: scripts/setup.mjs puts it there.
  outDir: './builds/next',
  adapter: node({ mode: 'middleware' }),
  integrations: [react(), { name: 'rsvp', hooks }],
  session: false,
  // There is none: Astro would warn that its colors break the policy below.
  markdown: { syntaxHighlight: false },
  trailingSlash: 'never',
  build: { assets: 'assets', inlineStylesheets: 'never' },
  image: { service: passthroughImageService() },
  // Our own check by Sec-Fetch-Site and Origin replaces Astro's, which ignores JSON (site/server/access/guard.ts).
  security: { checkOrigin: false, csp: { directives: contentPolicy.split('; ') } },
  vite: {
    // For Node: classes rewritten for old browsers cost the server time with each RSVP.
    build: { target: 'node22.12', cssTarget: targets },
    plugins: [overrides],
    environments: {
      client: { build: { rolldownOptions: { output: { codeSplitting: { groups: sharedScripts } } } } },
      ssr: { build: { rolldownOptions: { output: { codeSplitting: { groups: sharedOnServer } } } } },
    },
    ssr: { external: ['libsql', 'sharp'] },
  },
})
