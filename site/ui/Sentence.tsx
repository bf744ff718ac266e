import { Fragment, type ReactNode } from 'react'
import { fillIn, locale, t } from '#site/texts/texts.ts'

/** A text with elements in it, e.g. a link. Each placeholder is replaced with the prop of its name. */
export function Sentence({ text, ...elements }: { text: string } & Record<string, ReactNode>) {
  const words = Object.entries(elements).filter((named): named is [string, string] => typeof named[1] === 'string')
  return fillIn(t(text), Object.fromEntries(words))
    .split(/\{(\w+)\}/)
    .map((piece, position) =>
      // Every other piece is the name of a placeholder.
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text never change.
      position % 2 === 1 ? <Fragment key={position}>{elements[piece]}</Fragment> : piece,
    )
}

/**
 * Names joined by commas, as usual in the language of the page. Each text keeps the direction of its own letters. An
 * element must do that itself, because it may add text in the direction of the page.
 */
export function NameList({ names }: { names: ReactNode[] }) {
  const positions = names.map((_, position) => `${position}`)
  return new Intl.ListFormat(locale(), { type: 'unit' }).formatToParts(positions).map(({ type, value }, part) => {
    const shown = type === 'element' ? names[Number(value)] : value
    const Part = type === 'element' && typeof shown === 'string' ? 'bdi' : Fragment
    // biome-ignore lint/suspicious/noArrayIndexKey: two people can have the same name.
    return <Part key={part}>{shown}</Part>
  })
}
