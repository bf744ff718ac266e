// Who may import whom: `npm run check` runs it. It also sees what a file reaches through others.
// It cannot read .astro files: for those, the override in biome.json forbids the same imports.
import { builtinModules } from 'node:module'

const browser = '^site/(islands|ui|stores|lib|texts)/'
const tests = '(\\.test\\.tsx?|fixtures\\.tsx?)$'
const browserSafe = '^db/values/(?!(csv|names|services|time-zone)\\.ts$)'
/** What of the storage concerns a site or a command itself: who serves, which file, until when. */
const shared = '(client|deadline|files|local-file|locks)'
/** The rooms of db from the lowest floor to the highest. A room imports those of lower floors, and none beside it. */
const floors = [
  'values/',
  'config/|storage/|tables/|call\\.ts',
  'allowance\\.ts|audit\\.ts|keyed-hash\\.ts|migrate\\.ts',
  'access/|backup/|church\\.ts|event\\.ts|features\\.ts|health\\.ts|mail/|schedule\\.ts|settings\\.ts',
  'calendar/|open\\.ts|rsvp/|turnout\\.ts',
]
const starts = '^(site/server/(main|dev)\\.ts|cli/command\\.ts)$'
const drizzle = '(^|/)node_modules/drizzle-orm/'
const driver = '(^|/)node_modules/(@libsql/|libsql/)'
const builtin = `^(node:.*|${builtinModules.filter((name) => !name.startsWith('_')).join('|')})$`

export default {
  forbidden: [
    ...floors.map((rooms, floor) =>
      rule(
        `floor-${floor + 1}-of-db`,
        'What needs two rooms stands a floor above them; what a room needs from above is passed as an argument.',
        {
          from: { path: `^db/(${rooms})`, pathNot: tests },
          to: { path: '^db/', pathNot: ['^db/$1', `^db/(${['-', ...floors.slice(0, floor)].join('|')})`] },
        },
      ),
    ),
    rule('every-room-has-a-floor', 'A new room of db stands on one of the floors at the top of this file.', {
      from: { path: '^db/', pathNot: [`^db/(${floors.join('|')})`, tests] },
      to: {},
    }),
    rule(
      'server-rooms-stand-in-a-row',
      'site/server: main, then front and calls, which do not know each other, then access.',
      {
        from: { path: '^site/server/(front|access|calls)/', pathNot: tests },
        to: { path: '^site/server/(main\\.ts$|front/|calls/)', pathNot: '^site/server/$1/' },
      },
    ),
    rule('commands-stand-above', 'What several commands share knows no command; screens and questions stand below.', {
      from: { path: '^cli/(?!(commands|scenarios)/|main\\.ts$)', pathNot: tests },
      to: { path: '^cli/commands/' },
    }),
    rule('product-knows-no-lab', 'What tries the product is not part of it.', {
      from: { path: '^(db|site|cli)/', pathNot: [tests, '^site/e2e/'] },
      to: { path: ['^lab/', '^scripts/'] },
    }),
    rule('only-tests-use-fixtures', 'A file that ends in -fixtures is for tests, for the lab and for the tools.', {
      from: { path: '^(db|site|cli)/', pathNot: [tests, '^site/e2e/'] },
      to: { path: 'fixtures\\.tsx?$' },
    }),
    rule(
      'db-knows-no-front-end',
      'db is shared by the site and the command line, so it knows neither of them, nor Astro.',
      {
        from: { path: '^db/' },
        to: { path: ['^(site|cli)/', '^astro:', '(^|/)node_modules/(astro|@astrojs)/'] },
      },
    ),
    rule('site-knows-no-cli', 'The site and the command line share db and nothing else.', {
      from: { path: '^site/' },
      to: { path: '^cli/' },
    }),
    rule('cli-knows-no-site', 'The command line and the site share db and nothing else.', {
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
        from: { path: browserSafe, pathNot: tests },
        to: { pathNot: [browserSafe, '(^|/)node_modules/zod/'] },
      },
    ),
    rule('tables-stay-in-db', 'Outside db no file knows how things are stored: call an operation.', {
      from: { pathNot: ['^db/', '^scripts/testing/.*fixtures\\.ts$'] },
      to: {
        path: ['^db/tables/', drizzle, driver, `^db/(storage/(?!(${shared}|[a-z-]+-fixtures)\\.ts$)|migrate\\.ts$)`],
      },
    }),
    rule(
      'only-starts-open-the-database',
      'Outside db only the places where a program starts, and tests, open and close the database.',
      {
        from: { pathNot: ['^db/', starts, tests] },
        to: { path: '^db/(open|storage/client)\\.ts$' },
      },
    ),
    rule('one-driver', 'Only these three files call the database driver; everything else goes through their doors.', {
      from: { path: '^db/', pathNot: ['^db/storage/(local-client|locks|remote)\\.ts$', tests] },
      to: { path: driver, dependencyTypesNot: ['type-only'] },
    }),
    rule('ui-is-only-looks', 'A piece of ui gets everything as props: no data, no stores, no domain.', {
      from: { path: '^site/ui/', pathNot: tests },
      to: { path: ['^db/', '^site/(stores|islands|lib|server|pages)/'] },
    }),
    rule(
      'no-cycles',
      'Files that need each other cannot be read one after the other, and load in an accidental order.',
      {
        from: {},
        to: { circular: true },
      },
    ),
    rule('everything-resolves', 'An import that does not resolve would slip through all other rules.', {
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
