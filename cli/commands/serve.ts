import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { InvalidArgumentError } from '@commander-js/extra-typings'
import { projectRoot } from '#db/config/places.ts'
import type { Declare } from '../command.ts'
import { failure } from '../errors.ts'
import { examples } from '../options.ts'

export const declare: Declare = (command, run) => {
  command
    .description('Runs the site like `npm start`, until it ends.')
    .option('--host <address>', 'listen on this address instead of HOST')
    .option('--port <port>', 'listen on this port instead of PORT', portNumber)
    .addHelpText('after', examples('rsvp serve', 'rsvp serve --port 8080'))
    .action(
      // The site handles the signals and the exit code of this process itself.
      run('process', async ({ host, port }, { io }) => {
        Object.assign(io.env, { ...(host !== undefined && { HOST: host }), ...(port !== undefined && { PORT: port }) })
        const entry = join(projectRoot, 'dist', 'server', 'entry.mjs')
        if (!existsSync(entry)) throw failure(`The site is not built yet: run \`npm start\` once in ${projectRoot}.`)
        await import(pathToFileURL(entry).href)
      }),
    )
}

/** With 0 the system chooses a port. */
function portNumber(text: string): string {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65535) return text
  throw new InvalidArgumentError('Give a number from 0 to 65535, e.g. 4321.')
}
