// Serves the sources on this computer and reloads what changes, with samples in a database of its own. PORT changes the
// port, and `npm run dev -- data/dev-2.db` the database.
import { dev } from 'astro'
import { environment } from '#db/config/config.ts'
import { root } from './local-node.mjs'

const { PORT = '4321' } = process.env
const [file = 'data/dev.db'] = process.argv.slice(2)
if (!/(^|\/)dev[^/]*\.db$/.test(file)) {
  console.error(`${file} may be the database of a site. Give a file whose name begins with dev, e.g. data/dev-2.db.`)
  process.exit(1)
}
// Nothing of a real site, e.g. its mail server.
for (const name of Object.keys(environment.shape)) delete process.env[name]
process.env.DATABASE_URL = `file:${file}`
process.env.ASTRO_TELEMETRY_DISABLED = '1'
process.env.ASTRO_DISABLE_UPDATE_CHECK = 'true'
// Each reload of the log adds one.
for (const stream of [process.stdout, process.stderr]) stream.setMaxListeners(0)

await dev({ root, server: { host: '127.0.0.1', port: Number(PORT) } })
