// Prepares the picture of the church: reads the upload from standard input, and writes the prepared sizes, or why it is
// refused. A separate file in the build.
import { readFileSync } from 'node:fs'
import { preparePicture } from '#db/church/prepare-picture.ts'
import { UserError } from '#db/errors.ts'
import type { Prepared } from './prepare-apart.ts'

const STANDARD_INPUT = 0

async function prepare(): Promise<Prepared> {
  try {
    const { hash, sizes } = await preparePicture(readFileSync(STANDARD_INPUT))
    return { hash, sizes: sizes.map((size) => ({ ...size, bytes: size.bytes.toString('base64') })) }
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return { refusal: error.code, message: error.message }
  }
}

process.stdout.write(JSON.stringify(await prepare()))
