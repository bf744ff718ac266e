import { join } from 'node:path'
import { projectRoot } from '#db/config/places.ts'
import type { Context } from '../context.ts'
import { CommandError, exitCodes } from '../exit-code.ts'
import { runProgram } from '../service/run-program.ts'
import { ownerOf } from './git.ts'
import { checkOut, type Version } from './versions.ts'

/**
 * Checks a version out, installs its packages and builds it, beside what is in use, and puts it there. A site that runs goes
 * on with its own build.
 * @throws CommandError 'failed' where that cannot be done; what was in use then still is.
 */
export async function build(version: Version, { io, quiet }: Pick<Context, 'io' | 'quiet'>): Promise<void> {
  await checkOut(version)
  const { account, env } = await ownerOf(projectRoot)
  const setup = [join(projectRoot, 'scripts', 'setup.mjs')]
  // It takes a minute and says what it is doing.
  const show = quiet ? {} : { show: (text: string) => void io.stderr.write(text) }
  await runProgram(process.execPath, setup, { account, env, cwd: projectRoot, ...show }).catch((error: Error) => {
    const reason = quiet ? `: ${error.message}` : ', see above'
    throw new CommandError(exitCodes.failed, `${version.title} cannot be built${reason}`)
  })
}
