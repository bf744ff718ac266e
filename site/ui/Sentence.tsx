import { Fragment, type ReactNode } from 'react'
import { t } from '#site/texts/texts.ts'

/** A text with elements in it, e.g. a link: each placeholder is the prop of that name. */
export function Sentence({ text, ...elements }: { text: string } & Record<string, ReactNode>) {
  return t(text)
    .split(/\{(\w+)\}/)
    .map((piece, position) =>
      // Every other piece is the name of a placeholder.
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text never change.
      position % 2 === 1 ? <Fragment key={position}>{elements[piece]}</Fragment> : piece,
    )
}
