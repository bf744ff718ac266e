import type { Context } from '../context.ts'
import type { Io } from '../io.ts'
import { print, printJson, say } from '../output/output.ts'

export async function share(options: { qr?: true; json?: true }, context: Context): Promise<void> {
  const { quiet, io } = context
  const link = addressOf('/share', context)
  if (options.json) await printJson({ link }, io)
  else await print(`${link}\n${options.qr ? await qrCode(link, io) : ''}`, io)
  if (!quiet) sayIfNotPublic(context)
}

/** The address of a page, as people open it. */
export function addressOf(path: string, { readConfig }: Context): string {
  const { publicUrl, port } = readConfig()
  return `${publicUrl ?? `http://localhost:${port}`}${path}`
}

export function sayIfNotPublic({ io, readConfig }: Context): void {
  if (readConfig().publicUrl !== undefined) return
  say('Only this computer can open it: set PUBLIC_URL to the address that people use.', io)
}

/** White blocks on black, whatever the terminal's colors are: cameras want a bright frame around the code. */
async function qrCode(text: string, { stdout }: Io): Promise<string> {
  const { renderUnicodeCompact } = await import('uqr')
  const lines = renderUnicodeCompact(text, { border: 2 }).split('\n')
  const hasColors = stdout.isTTY && stdout.hasColors()
  return lines.map((line) => (hasColors ? `\u001b[97;40m${line}\u001b[0m\n` : `${line}\n`)).join('')
}
