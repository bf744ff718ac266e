import { readConfig } from '#db/config/config.ts'
import type { Context } from '../context.ts'
import { print, printJson, say } from '../output/output.ts'

/** Shows the link to the share page, and draws it for phones. */
export async function run(options: { qr?: true; json?: true }, { quiet }: Context): Promise<void> {
  const { publicUrl, port } = readConfig()
  const link = `${publicUrl ?? `http://localhost:${port}`}/share`
  if (options.json) await printJson({ link })
  else await print(`${link}\n${options.qr ? await qrCode(link) : ''}`)
  if (publicUrl === undefined && !quiet) {
    say('Only this computer can open it: set PUBLIC_URL to the address that people use.')
  }
}

/** White blocks on black, whatever the terminal's colours are: cameras want a bright frame around the code. */
async function qrCode(text: string): Promise<string> {
  const { renderUnicodeCompact } = await import('uqr')
  const lines = renderUnicodeCompact(text, { border: 2 }).split('\n')
  const hasColors = process.stdout.isTTY && process.stdout.hasColors()
  return lines.map((line) => (hasColors ? `\u001b[97;40m${line}\u001b[0m\n` : `${line}\n`)).join('')
}
