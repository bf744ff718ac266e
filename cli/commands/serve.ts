import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { projectRoot } from '#db/config/places.ts'
import type { Context } from '../context.ts'
import { failure } from '../exit-code.ts'

/** Starts the site in this process; from then on the site handles its signals and exit codes. */
export async function serve(options: { host?: string; port?: string }, { io }: Context): Promise<void> {
  const { host, port } = options
  Object.assign(io.env, { ...(host !== undefined && { HOST: host }), ...(port !== undefined && { PORT: port }) })
  const entry = join(projectRoot, 'dist', 'server', 'entry.mjs')
  if (!existsSync(entry)) {
    throw failure(`The site is not built yet: run \`npm start\` once in ${projectRoot}.`)
  }
  await import(pathToFileURL(entry).href)
}
