import type { Message } from '#db/mail/transport.ts'
import { directionOf } from '#db/values/languages.ts'
import { currentTexts, fillIn } from '#site/texts/texts.ts'

/**
 * A paragraph or another piece of a message. A piece with an address is a link, and a paragraph with one is a button. A
 * part that is false, undefined or empty is left out.
 */
export type Part = Piece | string | false | undefined
type Piece = [tag: 'h1' | 'p' | 'li' | 'blockquote' | 'small', text: string, address?: string | undefined]

/** Only the button has colors, so that mail programs can make the rest dark. Links are high enough for a finger. */
const STYLE = `
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 560px; overflow-wrap: anywhere; padding: 16px }
h1 { font-size: 22px; line-height: 1.3 }
p { white-space: pre-line }
ul { padding-inline-start: 20px }
blockquote { border-inline-start: 4px solid; margin: 0; padding-inline-start: 12px; white-space: pre-line }
small { display: block; font-size: 14px; margin-top: 12px }
a { display: inline-block; padding: 12px 0 }
p a { background: #6a3460; border-radius: 8px; color: #fffdf8; padding: 12px 20px; text-decoration: none }
`

/** Writes a message in the current language, as plain text and as HTML that loads nothing. */
export function writeMessage(subject: string, parts: Part[]): Pick<Message, 'subject' | 'text' | 'html'> {
  const { language } = currentTexts()
  const pieces: Piece[] = [['h1', subject]]
  for (const part of parts) if (part) pieces.push(typeof part === 'string' ? ['p', part] : part)
  const html = `<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(subject)}</title>
<style>${STYLE}</style>
</head>
<body>
${pieces
  .map(htmlOf)
  .join('\n')
  .replace(/(<li>.*\n?)+/g, '<ul>\n$&</ul>\n')}
</body>
</html>
`
  // No blank lines between the items of a list.
  const text = pieces
    .map(textOf)
    .join('\n\n')
    .replace(/\n\n(?=- )/g, '\n')
  return { subject, text: `${text}\n`, html }
}

/** Invisible characters, except joiners and selectors, which letters and emoji may need behind them. */
const INVISIBLE = /(?!\p{Join_Control}|\p{Variation_Selector})[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu
const STRAY = /(?<![\p{Lo}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}])[\p{Join_Control}\p{Variation_Selector}]/gu
/** Words that mail programs turn into links, e.g. `evil.example/win`, also with wide dots. */
const LINKED = /(?<!\S)\S*(?:[/／]{2}|[@＠]|[.。．｡․](?:[\p{L}\p{M}\p{Join_Control}]{2}|\d+[:/]))\S*/gu

/**
 * A text that a visitor typed, in one line and in its own direction. Spaces break up what mail programs would turn into
 * links, so that no one can advertise by a name, with the email address of another person.
 */
export function safeLine(text: string): string {
  const line = text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(INVISIBLE, '')
    .replace(STRAY, '')
    .replace(LINKED, (word) => word.replace(/[.:/@。．｡․：／＠](?=[^\s/／])/g, '$& '))
  return fillIn('{line}', { line })
}

/** A text that a visitor typed, in its own lines, each as `safeLine` writes it. */
export function safeLines(text: string): string {
  return text
    .split(/\r\n?|\n/)
    .map(safeLine)
    .join('\n')
}

function htmlOf([tag, text, address]: Piece): string {
  const content = address === undefined ? escaped(text) : `<a href="${escaped(address)}">${escaped(text)}</a>`
  return `<${tag}${tag === 'blockquote' ? ' dir="auto"' : ''}>${content}</${tag}>`
}

/** Each line of a quote begins with `>`, so that it cannot be mistaken for a text of the site. */
function textOf([tag, text, address]: Piece): string {
  const marked = tag === 'blockquote' ? text.replace(/^/gm, '> ') : text
  return `${tag === 'li' ? '- ' : ''}${marked}${address === undefined ? '' : `:\n${address}`}`
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
