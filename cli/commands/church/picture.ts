import { removePicture, storePicture } from '#db/church/operations.ts'
import { preparePicture } from '#db/church/prepare-picture.ts'
import type { Context } from '../../context.ts'
import { CommandError, exitCodes } from '../../exit-code.ts'
import { readGivenFile } from '../../given-file.ts'
import { printChurch } from '../../output/church-output.ts'

type Options = { remove?: true; json?: true }

/** Stores a picture or removes it, and shows what the church has then. */
export async function run(file: string | undefined, { remove, json }: Options, context: Context): Promise<void> {
  const { call, quiet, io } = context
  if ((file === undefined) === (remove === undefined))
    throw new CommandError(exitCodes.usage, 'Name one picture, or say --remove.')
  const church =
    file === undefined
      ? await removePicture(call)
      : await storePicture(await preparePicture(await readGivenFile(file, io)), call)
  if (json || !quiet) await printChurch(church, json, io)
}
