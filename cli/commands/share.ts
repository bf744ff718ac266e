import { isNew } from '#db/config/places.ts'
import { getSettings } from '#db/settings/operations.ts'
import type { Context } from '../context.ts'
import type { Io } from '../io.ts'
import { print, printJson, say } from '../output/output.ts'

export async function share(options: { qr?: true; json?: true }, context: Context): Promise<void> {
  const { quiet, io } = context
  const { databaseUrl, publicUrl } = context.readConfig()
  // A database that cannot be read knows no public address.
  if (publicUrl === undefined && !isNew(databaseUrl))
    await context.openDatabase({ mustExist: true, untouched: true }).catch(() => {})
  const { address: link, isPublic } = await findAddress('/share', context)
  if (options.json) await printJson({ link }, io)
  else await print(`${link}\n${options.qr ? await qrCode(link, io) : ''}`, io)
  if (!isPublic && !quiet) say(NOT_PUBLIC, io)
}

export const NOT_PUBLIC = 'Only this computer can open it: set PUBLIC_URL to the address that people use.'

/** The address of a page, as people open it: with PUBLIC_URL or, without it, the public address in the settings. */
export async function findAddress(path: string, { readConfig, call }: Context) {
  const { publicUrl, port } = readConfig()
  const stored = () => getSettings(call).then((settings) => settings.publicUrl)
  const origin = publicUrl ?? (await stored().catch(() => null))
  return { address: `${origin ?? `http://localhost:${port}`}${path}`, isPublic: origin !== null }
}

/** White blocks on black, whatever the terminal's colors are: cameras want a bright frame around the code. */
async function qrCode(text: string, { stdout }: Io): Promise<string> {
  const { renderUnicodeCompact } = await import('uqr')
  const lines = renderUnicodeCompact(text, { border: 2 }).split('\n')
  const hasColors = stdout.isTTY && stdout.hasColors()
  return lines.map((line) => (hasColors ? `\u001b[97;40m${line}\u001b[0m\n` : `${line}\n`)).join('')
}
