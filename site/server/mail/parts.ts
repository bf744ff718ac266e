import type { Message } from '#db/mail/transport.ts'
import type { Accent } from '#db/values/church.ts'
import { directionOf } from '#db/values/languages.ts'
import tokens from '#site/styles/tokens.css?raw'
import { currentTexts, fillIn } from '#site/texts/texts.ts'

/** A paragraph or another piece of a message: with an address a link, a button as a paragraph; left out if empty. */
export type Part = Piece | string | false | undefined
type Piece = [tag: 'b' | 'h1' | 'p' | 'li' | 'dt' | 'dd' | 'blockquote' | 'small', text: string, address?: string]

/** The mail program may be dark: only buttons have a background, boxes a tint. Links are high enough for a finger. */
const STYLE = `
.mail { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 560px; overflow-wrap: anywhere; padding: 16px }
b { font: 600 18px Georgia, serif }
h1 { font: 600 28px/1.25 Georgia, serif }
ul { list-style: none; padding: 0 }
dl { background: rgba(190, 140, 60, 0.12); border-radius: 12px; margin: 20px 0; padding: 6px 20px 16px }
li, dt, small { margin-top: 10px }
dt, small { display: block; font-size: 14px; opacity: 0.8 }
dd { margin: 0 }
a { display: inline-block; padding: 10px 0 }
dd a { margin: -8px 0 -14px }
p a { border-radius: 8px; padding: 12px 20px; text-decoration: none }
small a { color: inherit }
`

/** Writes a message in the current language and a color, as plain text and as HTML that loads nothing. */
export function writeMessage(accent: Accent, parts: Part[]): Pick<Message, 'text' | 'html'> {
  const { language } = currentTexts()
  const direction = `lang="${language}" dir="${directionOf(language)}"`
  const [, light = '', dark = ''] = new RegExp(`"${accent}"] {\\s+--accent: .+\\((.+), (.+)\\)`).exec(tokens) ?? []
  const paint = (color: string, onIt: string) => `b, a { color: ${color} } p a { background: ${color}; color: ${onIt} }`
  const pieces = parts.flatMap((part): Piece[] => (!part ? [] : typeof part === 'string' ? [['p', part]] : [part]))
  // Gmail drops the root element, and style sheets with conditions that it does not know.
  const html = `<!doctype html>
<html ${direction}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<style>${paint(light, '#fffdf8')}${STYLE}</style>
<style>@media (prefers-color-scheme: dark) { ${paint(dark, '#1d1512')} }</style>
</head>
<body>
<div class="mail" ${direction}>
${pieces
  .map(htmlOf)
  .join('\n')
  .replace(/(<li>.*\n?)+/g, '<ul>\n$&</ul>\n')
  .replace(/(<d[dt]>.*\n?)+/g, '<dl>\n$&</dl>\n')}
</div>
</body>
</html>
`
  // No blank lines between the items of a list, and below a term.
  const text = pieces.map((piece) => (/li|dd/.test(piece[0]) ? '\n' : '\n\n') + textOf(piece)).join('')
  return { text: `${text.trim()}\n`, html }
}

/** A text in which each line has a direction of its own. */
export function isolated(text: string): string {
  return text.replace(/.+/g, (line) => fillIn('{line}', { line }))
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
  return isolated(line)
}

/** A text that a visitor typed, in its own lines, each as `safeLine` writes it. */
export function safeLines(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(/[^\n]+/g, safeLine)
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
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`).replaceAll('\n', '<br>')
}
