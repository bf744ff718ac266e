import { Fragment, type ReactNode } from 'react'
import { fillIn, locale, t } from '#site/texts/texts.ts'

/** A text with elements in it, e.g. a link: each placeholder is the prop of that name. */
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
 * Names in a row, joined as usual in the language of the page. Each keeps the direction of its own letters; an element
 * does that itself for the name in it, as what it adds is in the direction of the page.
 */
export function NameList({ names }: { names: ReactNode[] }) {
  const places = names.map((_, place) => `${place}`)
  return new Intl.ListFormat(locale(), { type: 'unit' }).formatToParts(places).map(({ type, value }, part) => {
    const shown = type === 'element' ? names[Number(value)] : value
    const Part = type === 'element' && typeof shown === 'string' ? 'bdi' : Fragment
    // biome-ignore lint/suspicious/noArrayIndexKey: two people can have the same name, and their order never changes.
    return <Part key={part}>{shown}</Part>
  })
}
