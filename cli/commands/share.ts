import { isNew } from '#db/config/places.ts'
import { getSettings } from '#db/settings/operations.ts'
import type { Context } from '../context.ts'
import type { Io } from '../io.ts'
import { print, printJson, say } from '../output/output.ts'

export async function share(options: { qr?: true; json?: true }, context: Context): Promise<void> {
  const { quiet, io } = context
  const { origin, isPublic } = await findOrigin(context)
  const link = `${origin}/share`
  if (options.json) await printJson({ link }, io)
  else await print(`${link}\n${options.qr ? await qrCode(link, io) : ''}`, io)
  if (!isPublic && !quiet) say('Only this computer can open it: set PUBLIC_URL to the address that people use.', io)
}

/** What links begin with. A database that cannot be read knows no public address. */
export async function findOrigin({ readConfig, openDatabase, call }: Context) {
  const { publicUrl: given, port, databaseUrl } = readConfig()
  const stored = async () => {
    await openDatabase({ mustExist: true, untouched: true })
    return (await getSettings(call)).publicUrl ?? undefined
  }
  const publicUrl = given ?? (isNew(databaseUrl) ? undefined : await stored().catch(() => undefined))
  return { origin: publicUrl ?? `http://localhost:${port}`, isPublic: publicUrl !== undefined }
}

/** White blocks on black, whatever the terminal's colors are: cameras want a bright frame around the code. */
async function qrCode(text: string, { stdout }: Io): Promise<string> {
  const { renderUnicodeCompact } = await import('uqr')
  const lines = renderUnicodeCompact(text, { border: 2 }).split('\n')
  const hasColors = stdout.isTTY && stdout.hasColors()
  return lines.map((line) => (hasColors ? `\u001b[97;40m${line}\u001b[0m\n` : `${line}\n`)).join('')
}
