import { Fragment, type ReactNode } from 'react'
import { fillIn, t } from '#site/texts/texts.ts'

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
