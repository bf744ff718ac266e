// Who may import whom: `npm run check` runs it. It also sees what a file reaches through others.
// It cannot read .astro files: for those, the override in biome.json forbids the same imports.
import { builtinModules } from 'node:module'

const browser = '^site/(islands|ui|stores|lib)/'
const tests = '\\.test\\.tsx?$'
const browserSafe =
  '^db/([^/]+/(schema|texts|maximum)|event/(content|payload|to-content)|access/loopback|errors|id|text)\\.ts$'
const starts = '^(site/server/main\\.ts|cli/run\\.ts)$'
const drizzle = '(^|/)node_modules/drizzle-orm/'
const driver = '(^|/)node_modules/(@libsql/|libsql/)'
const builtin = `^(node:.*|${builtinModules.filter((name) => !name.startsWith('_')).join('|')})$`

export default {
  forbidden: [
    rule(
      'db-knows-no-front-end',
      'db is shared by the site and the command line, so it knows neither of them, nor Astro.',
      {
        from: { path: '^db/' },
        to: { path: ['^(site|cli)/', '^astro:', '(^|/)node_modules/(astro|@astrojs)/'] },
      },
    ),
    rule('site-and-cli-are-strangers', 'The site and the command line share db and nothing else.', {
      from: { path: '^site/' },
      to: { path: '^cli/' },
    }),
    rule('cli-and-site-are-strangers', 'The command line and the site share db and nothing else.', {
      from: { path: '^cli/' },
      to: { path: '^site/' },
    }),
    rule(
      'browser-reaches-no-database',
      'Of db, only the schemas, the errors and what these are made of may end up in the browser.',
      {
        from: { path: browser, pathNot: tests },
        to: { path: '^db/', pathNot: browserSafe, reachable: true },
      },
    ),
    rule(
      'browser-reaches-no-server',
      'What site/server holds (sessions, limits, secrets) must not end up in the browser.',
      {
        from: { path: browser, pathNot: tests },
        to: { path: '^site/(server/|middleware\\.ts$|pages/)', reachable: true },
      },
    ),
    rule(
      'browser-reaches-no-driver',
      'drizzle and libSQL are for the server: in the browser they are weight and a leak.',
      {
        from: { path: browser, pathNot: tests },
        to: { path: [drizzle, driver], reachable: true },
      },
    ),
    rule('browser-reaches-no-node', 'There is no Node in the browser.', {
      from: { path: browser, pathNot: tests },
      to: { path: builtin, reachable: true },
    }),
    rule(
      'schemas-are-pure',
      'A schema runs in the browser too: it imports zod, the errors, other schemas and their parts only.',
      {
        from: { path: browserSafe },
        to: { pathNot: [browserSafe, '(^|/)node_modules/zod/'] },
      },
    ),
    rule('tables-stay-in-db', 'Outside db nobody knows how things are stored: call an operation.', {
      from: { pathNot: '^db/' },
      to: { path: ['/table\\.ts$', drizzle, driver, '^db/(local|remote|queue|connection|migrate)\\.ts$'] },
    }),
    rule(
      'only-starts-open-the-database',
      'Outside db only the two places where a program starts, and tests, open and close the database.',
      {
        from: { pathNot: ['^db/', starts, tests] },
        to: { path: '^db/client\\.ts$' },
      },
    ),
    rule('one-driver', 'Only these three files call the database driver; everything else goes through their doors.', {
      from: { path: '^db/', pathNot: ['^db/(local-client|locks|remote)\\.ts$', tests] },
      to: { path: driver, dependencyTypesNot: ['type-only'] },
    }),
    rule('ui-is-only-looks', 'A piece of ui gets everything as props: no data, no stores, no domain.', {
      from: { path: '^(site|cli)/ui/', pathNot: tests },
      to: { path: ['^db/', '^site/(stores|islands|lib|server|pages)/', '^cli/commands/'] },
    }),
    rule(
      'no-cycles',
      'Files that need each other cannot be read one after the other, and load in an order nobody chose.',
      {
        from: {},
        to: { circular: true },
      },
    ),
    rule('everything-resolves', 'An import that leads nowhere would slip through all other rules.', {
      from: {},
      to: { couldNotResolve: true, pathNot: '^astro:' },
    }),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|data|site/public)/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json', '.d.ts'],
    },
  },
}

function rule(name, comment, { from, to }) {
  return { name, severity: 'error', comment, from, to }
}
