import { directionOf } from '#db/language/languages.ts'
import type { Message } from '#db/mail/message.ts'
import { fillIn, inUse } from '#site/texts/texts.ts'

/** A piece of a message; with an address it is a link. A quote keeps its line breaks. */
export type Part = [as: keyof typeof tags, text: string, address?: string | undefined]

/** No colors but those of the button: each mail program can make the rest dark. */
const tags = {
  title: ['h1', 'margin:0 0 16px;font-size:22px;line-height:1.3'],
  heading: ['h2', 'margin:24px 0 8px;font-size:17px'],
  paragraph: ['p', 'margin:0 0 12px'],
  quote: ['p', 'margin:0 0 12px;white-space:pre-line'],
  item: ['li', 'margin:0 0 6px'],
  button: ['p', 'margin:20px 0'],
  small: ['p', 'margin:12px 0 0;font-size:14px'],
} as const
const BUTTON =
  'display:inline-block;padding:10px 20px;border-radius:8px;background:#6a3460;color:#fffdf8;text-decoration:none'
/** As high as a finger needs. */
const LINK = 'display:inline-block;padding:12px 0'
const LIST = 'margin:0 0 12px;padding-inline-start:20px'

/**
 * Writes a message in the current language: the same as plain text and as HTML, which loads nothing.
 * @param parts come below the subject; those that are false are left out.
 */
export function writeMessage(to: string, subject: string, parts: (Part | false)[]): Message {
  const { language } = inUse()
  const all: Part[] = [['title', subject], ...parts.filter((part) => part !== false)]
  const body = all.map(htmlOf).join('\n')
  return {
    to,
    subject,
    text: `${all.map(textOf).join('\n').trim()}\n`,
    html: `<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(subject)}</title>
</head>
<body style="margin:0;padding:16px;font:16px/1.5 system-ui,sans-serif">
<div style="max-width:560px;margin:0 auto;overflow-wrap:anywhere">
${body.replace(/(<li.*\n?)+/g, `<ul style="${LIST}">\n$&</ul>\n`)}
</div>
</body>
</html>
`,
  }
}

/**
 * What a visitor has typed, in one line and without addresses that mail programs would make links of: whoever enters
 * the email address of another person must not advertise by a name.
 */
export function typed(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').replace(/[.:/@](?=\S)/g, '$&\u200b')
  return fillIn('{line}', { line })
}

function htmlOf([as, text, address]: Part): string {
  const [tag, style] = tags[as]
  const look = as === 'button' ? BUTTON : LINK
  const link = `<a href="${escaped(address ?? '')}" style="${look}">${escaped(text)}</a>`
  return `<${tag}${as === 'quote' ? ' dir="auto"' : ''} style="${style}">${address === undefined ? escaped(text) : link}</${tag}>`
}

function textOf([as, text, address]: Part, place: number, all: Part[]): string {
  const distance = as === 'item' && all[place - 1]?.[0] === 'item' ? '' : '\n'
  return `${distance}${as === 'item' ? '- ' : ''}${text}${address === undefined ? '' : `:\n${address}`}`
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
