import { Fragment, type ReactNode } from 'react'
import { locale } from '#site/texts/plural.ts'

/** Names in a row, as the language of the page puts them; each runs as its own letters do. */
export function NameList({ names }: { names: ReactNode[] }) {
  const places = names.map((_, place) => `${place}`)
  return new Intl.ListFormat(locale(), { type: 'unit' }).formatToParts(places).map(({ type, value }, part) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: two people can have the same name, and their order never changes.
    type === 'element' ? <bdi key={part}>{names[Number(value)]}</bdi> : <Fragment key={part}>{value}</Fragment>,
  )
}
